import assert from 'node:assert/strict'
import { IdAllocator, ShardCodec } from '@shard/core'
import { ann, type Check, HeldDelays, HostClock, mint, users } from './check.ts'

const MINUTE = 60_000

export function holding(test: Check): void {
  test('it is extended in the background each third of its time, until it is closed', async (host) => {
    const [clock, delays] = [new HostClock(), new HeldDelays()]
    const { delay } = delays
    const lease = await host.workers({ ...users, clock, delay }).acquire({ ...ann, ttlMs: 3 * MINUTE })
    for (let turn = 1; turn <= 3; turn++) {
      const { mintUntilMs } = lease
      clock.elapsedMs += MINUTE
      await until(() => isWaiting(delays, MINUTE))
      delays.end(MINUTE)
      await until(() => lease.mintUntilMs > mintUntilMs)
      assert.equal(lease.mintUntilMs, mintUntilMs + MINUTE)
    }
    await lease.close()
    assert.equal(lease.lost.aborted, true)
    await until(() => !isWaiting(delays, MINUTE))
  })

  test('an extension counts from before the request', async (host) => {
    const clock = new HostClock()
    const lease = await host.workers({ ...users, clock }).acquire(ann)
    clock.elapsedMs = 1_000
    const extending = lease.extend()
    clock.elapsedMs = 2_000
    assert.equal(await extending, true)
    assert.ok(lease.expiresAtMonotonicMs <= ann.ttlMs + 1_000)
    await lease.close()
  })

  test('released, its ids end, and it cannot be extended', async (host) => {
    const lease = await host.workers(users).acquire(ann)
    const allocator = new IdAllocator({ worker: lease })
    allocator.next(ShardCodec.default, 1)
    assert.equal(await lease.release(), true)
    assert.equal(lease.lost.aborted, true)
    assert.throws(() => allocator.next(ShardCodec.default, 1), { code: 'LEASE_LOST', retryable: false })
    assert.equal(await lease.extend(), false)
    assert.equal(await lease.release(), false)
  })

  test('whoever was taken over can neither extend nor release, and learns that it is lost', async (host) => {
    const layout = { ...users.layout, workerBits: 0 } as NonNullable<typeof users.layout>
    const workers = host.workers({ family: 'users', layout })
    const first = await workers.acquire(ann)
    const { mintUntilMs } = first
    await host.expire()
    const second = await workers.acquire({ ...ann, owner: 'bob' })
    assert.equal(await first.extend(), false)
    assert.deepEqual([first.lost.aborted, first.mintUntilMs], [true, mintUntilMs])
    assert.equal(await first.release(), false)
    assert.equal(await second.extend(), true)
    await second.close()
  })

  test('its own deadline ends it, though nobody says so', async (host) => {
    const lease = await host.workers(users).acquire({ ...ann, ttlMs: 1_000 })
    const allocator = new IdAllocator({ worker: lease })
    await host.expire()
    await new Promise<void>((resolve) => {
      if (lease.lost.aborted) resolve()
      lease.lost.addEventListener('abort', () => resolve())
    })
    assert.throws(() => allocator.next(ShardCodec.default, 1), { code: 'LEASE_LOST' })
    await lease.close()
  })

  test('one lease serves one allocator', async (host) => {
    const lease = await host.workers(users).acquire(ann)
    assert.equal(new Set(mint(lease, 100)).size, 100)
    assert.throws(() => mint(lease, 1), { code: 'INVALID_ARGUMENT' })
    await lease.close()
  })

  test('disposing releases', async (host) => {
    const workers = host.workers(users)
    const first = await workers.acquire({ ...ann, ttlMs: 1_000 })
    await first[Symbol.asyncDispose]()
    assert.equal(first.lost.aborted, true)
    assert.equal(await first.release(), false)
  })
}

function isWaiting({ waits }: HeldDelays, ms: number): boolean {
  return waits.some((wait) => wait.ms === ms)
}

/** Lets others work until something holds. */
async function until(holds: () => boolean): Promise<void> {
  for (let i = 0; i < 100_000; i++) {
    if (holds()) return
    await new Promise((resolve) => setImmediate(resolve))
  }
  assert.fail('in vain')
}
