import assert from 'node:assert/strict'
import { bob, type Check, MINUTE, need, needRecord } from './check.ts'

export function expiry(test: Check): void {
  test('an expired lease is taken over with a larger epoch', async (leases, host) => {
    const first = await need(leases, 'a')
    await host.expire()
    assert.equal((await needRecord(leases, 'a')).isHeld, false)
    const second = await need(leases, 'a', bob)
    assert.ok(second.epoch > first.epoch)
    await Promise.all([first.release(), second.release()])
  })

  test('whoever was taken over can neither extend nor release, and learns that it is lost', async (leases, host) => {
    const first = await need(leases, 'a')
    await host.expire()
    const second = await need(leases, 'a', bob)
    assert.equal(await first.extend({ reserve: { fromMs: MINUTE, lengthMs: MINUTE } }), false)
    assert.deepEqual([first.isHeld, first.lost.aborted], [false, true])
    assert.equal(await first.release(), false)
    const record = await needRecord(leases, 'a')
    assert.deepEqual(
      [record.owner, record.isHeld, record.epoch, record.markMs],
      ['bob', true, second.epoch, 0],
    )
    assert.equal(await second.extend(), true)
    await second.release()
  })

  test('an expired lease cannot be extended, though nobody took it over', async (leases, host) => {
    const lease = await need(leases, 'a')
    await host.expire()
    assert.equal(await lease.extend(), false)
    assert.equal(lease.lost.aborted, true)
    assert.equal((await needRecord(leases, 'a')).isHeld, false)
  })

  test('epochs rise over any number of releases and expiries', async (leases, host) => {
    const epochs: bigint[] = []
    for (let turn = 0; turn < 12; turn++) {
      const lease = await need(leases, 'a')
      epochs.push(lease.epoch)
      if (turn % 3 === 0) await host.expire()
      else await lease.release()
    }
    for (const [i, epoch] of epochs.entries()) if (i > 0) assert.ok(epoch > (epochs[i - 1] ?? epoch))
  })
}
