import assert from 'node:assert/strict'
import type { ShardRecord } from '@shard/registry'
import { type Check, need, rejects, shard } from './check.ts'

export function records(test: Check): void {
  test('a new registry is empty', async (registry) => {
    assert.deepEqual(await registry.list(), [])
    assert.equal(await registry.get(1), null)
  })

  test('a shard needs an id, a name and a status; the rest has defaults', async (registry) => {
    const before = Date.now()
    const record = await registry.register({ id: 7, name: 'users_shard_0007', status: 'standby' })
    const { createdAtMs, ...rest } = record
    assert.ok(Math.abs(createdAtMs - before) < 60_000)
    assert.deepEqual(rest, {
      family: 'users',
      id: 7,
      name: 'users_shard_0007',
      databaseId: null,
      region: null,
      status: 'standby',
      sizeBytes: 0n,
      fileBytes: null,
      maxBytes: null,
      admitThreshold: 0.5,
      hardThreshold: 0.9,
      reservedKeys: 0n,
      reservedEver: 0n,
      schemaVersion: 0n,
      successorId: null,
      sealedAtMs: null,
      lastSizeCheckAtMs: null,
      sizeError: null,
      version: 1n,
    })
    assert.deepEqual(await registry.get(7), record)
  })

  test('what is given is kept, to the last bit and character', async (registry) => {
    const given = {
      id: 2 ** 24 - 1,
      name: `it's "a" \\ name; -- é 🙂`,
      status: 'sealed',
      databaseId: 'db-1',
      region: 'eu',
      sizeBytes: 2n ** 53n + 1n,
      maxBytes: 2n ** 63n - 1n,
      admitThreshold: 1,
      hardThreshold: 0.1,
      schemaVersion: 2n ** 53n + 1n,
    } as const
    await registry.register(given)
    const record = await need(registry, given.id)
    for (const [field, value] of Object.entries(given))
      assert.equal(record[field as keyof ShardRecord], value)
    assert.notEqual(record.sealedAtMs, null)
  })

  test('the list is ascending by id', async (registry) => {
    for (const id of [10, 9, 100, 0]) await registry.register(shard(id, 'standby'))
    assert.deepEqual(
      (await registry.list()).map(({ id }) => id),
      [0, 9, 10, 100],
    )
  })

  test('an id is registered once, and what is on file stays', async (registry) => {
    const first = await registry.register(shard(1, 'standby'))
    await rejects(registry.register({ ...shard(1, 'active'), name: 'other' }), 'UNIQUE_VIOLATION')
    assert.deepEqual(await registry.list(), [first])
    assert.equal((await registry.history(1)).length, 1)
  })

  test('of 20 that register one id at once, one wins', async (registry) => {
    const racers = Array.from({ length: 20 }, (_, i) =>
      registry.register({ ...shard(1, 'standby'), name: `n${i}` }),
    )
    const ends = await Promise.allSettled(racers)
    const won = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))
    assert.equal(won.length, 1)
    assert.deepEqual(await registry.list(), won)
  })

  test('families share nothing', async (registry, sibling) => {
    await registry.register(shard(1, 'active'))
    await sibling.register({ ...shard(1, 'standby'), name: 'teams_1' })
    assert.equal(await sibling.swapActive(null, 1, 1n), true)
    assert.equal((await need(sibling, 1)).name, 'teams_1')
    assert.equal((await need(registry, 1)).version, 1n)
    assert.equal((await registry.history(1)).length, 1)
    await sibling.register(shard(2, 'standby'))
    await rejects(registry.transition(2, 'standby', 'active'), 'NOT_FOUND')
  })
}
