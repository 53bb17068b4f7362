import assert from 'node:assert/strict'
import type { NoFreeWorkerError, WorkerLease } from '@shard/core'
import { ann, type Check, closeAll, HostClock, rejects, users } from './check.ts'

export function acquiring(test: Check): void {
  test('the lowest free number is taken; a family knows nothing of another', async (host) => {
    const leases = [await host.workers(users).acquire(ann), await host.workers(users).acquire(ann)]
    leases.push(await host.workers({ ...users, family: 'others' }).acquire(ann))
    leases.push(await host.workers({ ...users, family: 'users_' }).acquire(ann))
    assert.deepEqual(
      leases.map(({ worker }) => worker),
      [0, 1, 0, 0],
    )
    await closeAll(leases)
  })

  test('a number whose mark is ahead of the clock waits for its turn while others do not lead', async (host) => {
    const clock = new HostClock()
    const workers = host.workers({ ...users, clock })
    await (await workers.acquire(ann)).close()
    const second = await workers.acquire(ann)
    assert.equal(second.worker, 1)
    await second.close()
    clock.elapsedMs += 2 * ann.ttlMs
    const third = await workers.acquire(ann)
    assert.equal(third.worker, 0)
    await third.close()
  })

  test('when all lead, the one with the smallest mark is taken', async (host) => {
    const clock = new HostClock()
    const workers = host.workers({ ...users, clock })
    const first: WorkerLease[] = []
    for (const ttlMs of [900_000, 600_000, 300_000, 1_200_000])
      first.push(await workers.acquire({ ...ann, ttlMs }))
    await closeAll(first)
    const second: WorkerLease[] = []
    for (let i = 0; i < 4; i++) second.push(await workers.acquire({ ...ann, ttlMs: 1_000 }))
    assert.deepEqual(
      second.map(({ worker }) => worker),
      [2, 1, 0, 3],
    )
    for (const { worker, mintFromMs } of second) assert.equal(mintFromMs, first[worker]?.mintUntilMs)
    await closeAll(second)
  })

  test('when all are held, whoever asks is told by whom', async (host) => {
    const workers = host.workers(users)
    const leases: WorkerLease[] = []
    for (const owner of ['a', 'b', 'c', 'd']) leases.push(await workers.acquire({ ...ann, owner }))
    const error = await workers.acquire(ann).catch((thrown: NoFreeWorkerError) => thrown)
    assert.ok('holders' in error && error.code === 'NO_FREE_WORKER' && error.retryable)
    assert.deepEqual(
      error.holders.map(({ worker, owner }) => [worker, owner]),
      [
        [0, 'a'],
        [1, 'b'],
        [2, 'c'],
        [3, 'd'],
      ],
    )
    await leases[2]?.release()
    const next = await workers.acquire(ann)
    assert.equal(next.worker, 2)
    await closeAll([...leases, next])
  })

  test('windows do not run away from the clock, however often a process starts anew', async (host) => {
    const clock = new HostClock()
    const workers = host.workers({ family: 'users', layout: { ...narrow0 }, clock })
    const { mintFromMs } = await workers.acquire(ann).then((lease) => lease.close().then(() => lease))
    const restarts = async (): Promise<void> => {
      for (let i = 0; i < 100; i++) {
        const lease = await workers.acquire(ann)
        await lease.close()
        assert.ok(lease.mintUntilMs - mintFromMs <= 3 * 3_600_000 + 60_000)
      }
    }
    await rejects(restarts(), 'NO_FREE_WORKER')
  })

  test('of 12 racers for four numbers four get one each, the others are told', async (host) => {
    const desks = [host.workers(users), host.workers(users), host.workers(users)]
    const ends = await Promise.allSettled(Array.from({ length: 12 }, (_, i) => desks[i % 3]?.acquire(ann)))
    const won = ends.flatMap((end) => (end.status === 'fulfilled' && end.value ? [end.value] : []))
    assert.deepEqual(won.map(({ worker }) => worker).sort(), [0, 1, 2, 3])
    for (const end of ends) if (end.status === 'rejected') assert.equal(end.reason.code, 'NO_FREE_WORKER')
    await closeAll(won)
  })

  test('a signal that was aborted before the call takes nothing', async (host) => {
    const workers = host.workers(users)
    await rejects(workers.acquire({ ...ann, signal: AbortSignal.abort() }), 'ABORTED')
    const lease = await workers.acquire(ann)
    assert.equal(lease.worker, 0)
    await lease.close()
  })
}

/** One worker only. */
const narrow0 = { ...(users.layout as NonNullable<typeof users.layout>), workerBits: 0 }
