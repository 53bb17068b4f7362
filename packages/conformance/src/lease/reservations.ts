import assert from 'node:assert/strict'
import { ann, bob, type Check, need, needRecord } from './check.ts'

export function reservations(test: Check): void {
  test('the first starts where it asks to, the next after its end, whoever holds the name', async (leases, host) => {
    const first = await need(leases, 'a', { ...ann, reserve: { fromMs: 5_000, lengthMs: 100 } })
    assert.equal(first.markMs, 5_100)
    await host.expire()
    const second = await need(leases, 'a', { ...bob, reserve: { fromMs: 1_000, lengthMs: 100 } })
    assert.equal(second.markMs, 5_200)
    await second.release()
    const third = await need(leases, 'a', { ...ann, reserve: { fromMs: 9_000, lengthMs: 100 } })
    assert.equal(third.markMs, 9_100)
    assert.equal((await needRecord(leases, 'a')).markMs, 9_100)
    await Promise.all([first.release(), third.release()])
  })

  test('an extension reserves more', async (leases) => {
    const lease = await need(leases, 'a', { ...ann, reserve: { fromMs: 5_000, lengthMs: 100 } })
    assert.equal(await lease.extend({ reserve: { fromMs: 0, lengthMs: 50 } }), true)
    assert.equal(lease.markMs, 5_150)
    assert.equal(await lease.extend({ reserve: { fromMs: 6_000, lengthMs: 0 } }), true)
    assert.equal(lease.markMs, 6_000)
    assert.equal(await lease.extend(), true)
    assert.deepEqual([lease.markMs, (await needRecord(leases, 'a')).markMs], [6_000, 6_000])
    await lease.release()
  })

  test('without one the mark stays', async (leases) => {
    const first = await need(leases, 'a', { ...ann, reserve: { fromMs: 5_000, lengthMs: 100 } })
    await first.release()
    const second = await need(leases, 'a', bob)
    assert.equal(second.markMs, 5_100)
    await second.release()
  })

  test('the largest instant goes in and comes out', async (leases) => {
    const lease = await need(leases, 'a', { ...ann, reserve: { fromMs: 8.64e15, lengthMs: 3_600_000 } })
    assert.equal(lease.markMs, 8.64e15 + 3_600_000)
    await lease.release()
  })
}
