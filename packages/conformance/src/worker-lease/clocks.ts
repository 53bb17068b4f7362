import assert from 'node:assert/strict'
import { type ClockSkewError, systemClock } from '@shard/core'
import { ann, type Check, closeAll, HostClock, mint, rejects, users } from './check.ts'

const HOUR = 3_600_000

export function clocks(test: Check): void {
  test('hosts an hour off either way mint too, and no id twice', async (host) => {
    const hosts = [0, HOUR, -HOUR, 0].map((aheadMs) => new HostClock(aheadMs))
    const leases = []
    for (const clock of hosts) leases.push(await host.workers({ ...users, clock }).acquire(ann))
    const ids = leases.flatMap((lease, i) => mint(lease, 10_000, hosts[i]))
    assert.equal(new Set(ids).size, 40_000)
    await closeAll(leases)
  })

  test('one that is more than two hours off is refused, and takes nothing', async (host) => {
    for (const aheadMs of [3 * HOUR, -3 * HOUR]) {
      const call = host.workers({ ...users, clock: new HostClock(aheadMs) }).acquire(ann)
      const error = await call.catch((thrown: ClockSkewError) => thrown)
      assert.ok('skewMs' in error && error.code === 'CLOCK_SKEW')
      assert.ok(Math.abs(error.skewMs - aheadMs) < HOUR / 2)
    }
    const clock = { ...systemClock, now: () => Number.NaN }
    await rejects(host.workers({ ...users, clock }).acquire(ann), 'CLOCK_SKEW')
    const lease = await host.workers(users).acquire(ann)
    assert.deepEqual([lease.worker, lease.epoch], [0, 1n])
    await lease.close()
  })

  test('how far a host may be off can be said', async (host) => {
    const clock = new HostClock(3 * HOUR)
    const lease = await host.workers({ ...users, clock, maxClockSkewMs: 4 * HOUR }).acquire(ann)
    await lease.close()
    const call = host.workers({ ...users, clock: new HostClock(HOUR), maxClockSkewMs: HOUR / 2 }).acquire(ann)
    await rejects(call, 'CLOCK_SKEW')
  })
}
