import assert from 'node:assert/strict'
import { ann, bob, type Check, MINUTE, need, needRecord, rejects } from './check.ts'

export function holding(test: Check): void {
  test('a free lease is taken, and on file', async (leases) => {
    assert.equal(await leases.read('a'), null)
    const lease = await need(leases, 'a')
    assert.deepEqual([lease.name, lease.owner, lease.isHeld, lease.markMs], ['a', 'ann', true, 0])
    assert.equal(lease.lost.aborted, false)
    const record = await needRecord(leases, 'a')
    assert.deepEqual(
      [record.name, record.owner, record.isHeld, record.epoch],
      ['a', 'ann', true, lease.epoch],
    )
    const leftMs = record.expiresAtMs - record.readAtMs
    assert.ok(leftMs > 0 && leftMs <= MINUTE, `${leftMs}`)
    await lease.release()
  })

  test('a lease that is held is given to nobody, its owner included', async (leases, host) => {
    const lease = await need(leases, 'a')
    assert.equal(await leases.acquire('a', bob), null)
    assert.equal(await leases.acquire('a', ann), null)
    assert.equal(await host.leases().acquire('a', ann), null)
    assert.equal((await needRecord(leases, 'a')).epoch, lease.epoch)
    await lease.release()
  })

  test('released, it is free at once, and its next epoch is larger', async (leases) => {
    const first = await need(leases, 'a')
    assert.equal(await first.release(), true)
    assert.deepEqual([first.isHeld, first.lost.aborted], [false, true])
    const record = await needRecord(leases, 'a')
    assert.deepEqual([record.isHeld, record.owner, record.epoch], [false, null, first.epoch])
    const second = await need(leases, 'a', bob)
    assert.ok(second.epoch > first.epoch)
    assert.notEqual(second.token, first.token)
    await second.release()
  })

  test('what has been released cannot be extended or released again, nor disturb the next', async (leases) => {
    const first = await need(leases, 'a')
    await first.release()
    const second = await need(leases, 'a', bob)
    assert.equal(await first.extend(), false)
    assert.equal(await first.release(), false)
    await first.close()
    assert.deepEqual([second.isHeld, await second.extend()], [true, true])
    assert.equal((await needRecord(leases, 'a')).owner, 'bob')
    await second.release()
  })

  test('an extension moves the expiry and the local deadline, and nothing shortens them', async (leases) => {
    const lease = await need(leases, 'a')
    const [before, deadline] = [await needRecord(leases, 'a'), lease.expiresAtMonotonicMs]
    assert.equal(await lease.extend({ ttlMs: 10 * MINUTE }), true)
    const longer = await needRecord(leases, 'a')
    assert.ok(longer.expiresAtMs >= before.expiresAtMs + 8 * MINUTE)
    assert.ok(lease.expiresAtMonotonicMs >= deadline + 8 * MINUTE)
    const extended = lease.expiresAtMonotonicMs
    assert.equal(await lease.extend({ ttlMs: 1 }), true)
    assert.equal((await needRecord(leases, 'a')).expiresAtMs, longer.expiresAtMs)
    assert.equal(lease.expiresAtMonotonicMs, extended)
    await lease.release()
  })

  test('disposing releases', async (leases) => {
    const lease = await need(leases, 'a')
    await lease[Symbol.asyncDispose]()
    await (await need(leases, 'a', bob)).release()
  })

  test('a signal that was aborted before the call leaves the lease as it was', async (leases) => {
    const signal = AbortSignal.abort()
    await rejects(leases.acquire('a', { ...ann, signal }), 'ABORTED')
    const lease = await need(leases, 'a')
    assert.equal(lease.isHeld, true)
    await lease.release()
  })
}
