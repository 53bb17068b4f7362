import assert from 'node:assert/strict'
import { layouts } from '@shard/core'
import { ann, type Check, narrow, rejects, users } from './check.ts'

export function onRecord(test: Check): void {
  test('it is put on record by the first lease, and another is refused from then on', async (host) => {
    const lease = await host.workers(users).acquire(ann)
    assert.deepEqual(lease.layout, narrow)
    await lease.close()
    const changes = [
      { workerBits: 3 },
      { counterBits: 9 },
      { timeBits: 41 },
      { epochMs: 0 },
      { shardBits: 11 },
    ]
    for (const change of changes) {
      const workers = host.workers({ ...users, layout: { ...narrow, ...change } })
      await rejects(workers.acquire(ann), 'LAYOUT_MISMATCH')
    }
    await rejects(host.workers({ ...users, layout: layouts.safeInteger }).acquire(ann), 'LAYOUT_MISMATCH')
    const second = await host.workers(users).acquire(ann)
    assert.equal(second.worker, 1)
    await second.close()
  })

  test('whoever names none gets the one on record, or the default one if there is none', async (host) => {
    const first = await host.workers({ family: 'users' }).acquire(ann)
    assert.deepEqual(first.layout, layouts.default)
    await rejects(host.workers(users).acquire(ann), 'LAYOUT_MISMATCH')
    await first.close()
  })

  test('of two that bring different ones at once one wins, and the other is told', async (host) => {
    const desks = [0, 1, 2, 3].map((i) =>
      host.workers({ family: 'users', layout: { ...layouts.default, workerBits: (i % 2) + 1 } }),
    )
    const ends = await Promise.allSettled(desks.map((workers) => workers.acquire(ann)))
    const bits = new Set<number | undefined>()
    for (const end of ends) {
      if (end.status === 'rejected') assert.equal(end.reason.code, 'LAYOUT_MISMATCH')
      else {
        bits.add(end.value.layout?.workerBits)
        await end.value.close()
      }
    }
    assert.equal(bits.size, 1)
  })
}
