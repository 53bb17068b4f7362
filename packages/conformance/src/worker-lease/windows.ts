import assert from 'node:assert/strict'
import type { WorkerLease } from '@shard/core'
import { ann, type Check, closeAll, HostClock, mint, users } from './check.ts'

export function windows(test: Check): void {
  test('the first begins at the clock, and is as long as the lease and a burst', async (host) => {
    const clock = new HostClock()
    clock.elapsedMs = 5
    const lease = await host.workers({ ...users, clock }).acquire(ann)
    assert.equal(lease.mintFromMs, clock.now())
    assert.equal(lease.mintUntilMs, lease.mintFromMs + ann.ttlMs + 5_000)
    assert.equal(lease.acquiredAtMonotonicMs, 5)
    assert.ok(lease.expiresAtMonotonicMs <= 5 + ann.ttlMs + 60_000)
    await lease.close()
  })

  test('an extension moves its end, never its start', async (host) => {
    const clock = new HostClock()
    const lease = await host.workers({ ...users, clock }).acquire(ann)
    const { mintFromMs, mintUntilMs } = lease
    clock.elapsedMs += 1_000.5
    assert.equal(await lease.extend(), true)
    assert.equal(lease.mintUntilMs, mintUntilMs + 1_001)
    clock.aheadMs += 50_000_000
    assert.equal(await lease.extend(), true)
    assert.deepEqual([lease.mintFromMs, lease.mintUntilMs], [mintFromMs, mintUntilMs + 1_001])
    await lease.close()
  })

  test('no two holders of a number share an instant, released, expired or extended', async (host) => {
    const clock = new HostClock()
    const held: WorkerLease[] = []
    for (let turn = 0; turn < 40; turn++) {
      const aheadMs = ((turn * 7) % 5) * 60_000
      const workers = host.workers({ ...users, clock: new HostClock(aheadMs) })
      const lease = await workers.acquire({ ...ann, ttlMs: 1_000 + turn })
      held.push(lease)
      if (turn % 3 === 0) await lease.extend()
      if (turn % 2 === 0) await lease.release()
      else await host.expire()
    }
    const epochs = new Set<string>()
    for (const [i, lease] of held.entries()) {
      assert.ok(lease.mintFromMs < lease.mintUntilMs)
      for (const earlier of held.slice(0, i).filter(({ worker }) => worker === lease.worker)) {
        assert.ok(lease.mintFromMs >= earlier.mintUntilMs)
        assert.ok(lease.epoch > earlier.epoch)
      }
      epochs.add(`${lease.worker} ${lease.epoch} ${lease.token}`)
    }
    assert.equal(epochs.size, held.length)
    assert.equal(clock.elapsedMs, 0)
    await closeAll(held)
  })

  test('whoever was paused, taken over or released: no id twice', async (host) => {
    const clock = new HostClock()
    const layout = { ...users.layout, workerBits: 0 } as NonNullable<typeof users.layout>
    const workers = host.workers({ family: 'users', layout, clock })
    const made: bigint[] = []
    const held: WorkerLease[] = []
    for (let turn = 0; turn < 4; turn++) {
      const lease = await workers.acquire({ ...ann, ttlMs: 60_000 })
      held.push(lease)
      if (turn % 2 === 0) await host.expire()
      // The holder does not know yet that the next will be given its number.
      made.push(...mint(lease, 10_000, clock))
      if (turn % 2 === 1) await lease.release()
    }
    assert.deepEqual(
      held.map(({ worker }) => worker),
      [0, 0, 0, 0],
    )
    assert.equal(new Set(made).size, 40_000)
    await closeAll(held)
  })
}
