import assert from 'node:assert/strict'
import type { Executor } from '@shard/core'
import { applySchema } from '@shard/sql'
import { describe, test } from 'vitest'
import { randomFaults } from '../src/faults.ts'
import { faultyExecutor } from '../src/faulty-executor.ts'
import { type Database, databases, withServer } from './databases.ts'
import { directoryAdapterOf, directoryOn } from './directory-hosts.ts'
import { executorHost } from './executor-hosts.ts'

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => tables(engine))
  })
}

function tables(engine: Database): void {
  const { schema, shardSchema } = directoryAdapterOf(engine)
  const onEmpty = (name: string, body: (executor: Executor) => Promise<void>) =>
    test(name, async () => {
      const { executor, close } = await executorHost(engine)
      try {
        await body(executor)
      } finally {
        await close()
      }
    })

  onEmpty('a directory of the first version is upgraded where it is, with its entries', async (executor) => {
    assert.deepEqual(await applySchema(executor, { ...schema, steps: schema.steps.slice(0, 1) }), [1])
    const rows = Array.from(
      { length: 500 },
      (_, i) =>
        `('default', 'user${i}@é.example', ${2n ** 53n + BigInt(i)}, 'confirmed', 't${i}', ${i + 1}, 1700000000000)`,
    )
    const columns = 'namespace, natural_key, id, state, token, version, updated_at_ms'
    await executor.execute({
      sql: `insert into shard_directory (${columns}) values ${rows.join(', ')}`,
      parameters: [],
    })
    assert.deepEqual(
      await applySchema(executor, schema),
      schema.steps.slice(1).map((_, i) => i + 2),
    )
    assert.deepEqual(await applySchema(executor, schema), [])
    await applySchema(executor, shardSchema)
    const directory = directoryOn(executor, { accountsHere: true, normaliser: (text) => text })
    const entries = await directory.list()
    assert.equal(entries.length, 500)
    const [first] = await directory.list({ limit: 1 })
    assert.deepEqual(first, {
      key: 'user0@é.example',
      id: 2n ** 53n,
      state: 'confirmed',
      version: 1n,
      normaliser: 1,
      updatedAtMs: 1_700_000_000_000,
      expiresAtMs: null,
    })
    assert.equal((await directory.claim('user7@é.example', 2n ** 53n + 7n, { token: 't7' })).won, true)
    assert.equal((await directory.claim('user8@é.example', 5n)).id, 2n ** 53n + 8n)
    assert.equal(await directory.release('user9@é.example', 2n ** 53n + 9n, 10n), true)
    const { token = '' } = await directory.claim('user9@é.example', 5n, { ttlMs: 60_000 })
    assert.equal(await directory.confirm('user9@é.example', token), true)
  })

  onEmpty('what a call costs in round trips', async (executor) => {
    for (const ladder of [schema, shardSchema]) await applySchema(executor, ladder)
    let trips = 0
    const none = randomFaults(1, {})
    const counted = faultyExecutor(executor, (call) => {
      trips++
      return none(call)
    })
    const directory = directoryOn(counted, { accountsHere: true })
    const cost = async (call: () => Promise<unknown>): Promise<number> => {
      const before = trips
      await call()
      return trips - before
    }
    const thousand = Array.from({ length: 1_000 }, (_, i) => `user${i}`)
    assert.equal(await cost(() => directory.claim('user1', 1n)), 2)
    assert.equal(await cost(() => directory.claim('user1', 2n)), 2)
    assert.equal(await cost(() => directory.claim('user2', 2n, { token: 't', ttlMs: 60_000 })), 2)
    assert.equal(await cost(() => directory.confirm('user2', 't')), 2)
    assert.equal(await cost(() => directory.resolve('user1')), 1)
    assert.equal(await cost(() => directory.lookup('user1')), 1)
    assert.equal(await cost(() => directory.put('user1', 1n)), 2)
    assert.equal(await cost(() => directory.release('user1', 1n)), 2)
    assert.ok((await cost(() => directory.resolveMany(thousand))) <= 3)
    assert.ok(
      (await cost(() => directory.resolveMany(Array.from({ length: 40_000 }, (_, i) => `user${i}`)))) <= 40,
    )
  })
}
