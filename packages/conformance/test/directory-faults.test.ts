import assert from 'node:assert/strict'
import { ConnectionLostError, DeadlockError, type Executor } from '@shard/core'
import { sqliteExecutor } from '@shard/core/sqlite'
import { schema, shardSchema, sqliteDirectory } from '@shard/directory/sqlite'
import { applySchema } from '@shard/sql'
import SqliteDriver from 'better-sqlite3'
import { afterEach, beforeEach, test } from 'vitest'
import { faulty } from './directory-hosts.ts'
import { skewed } from './skewed.ts'

let database: Executor

beforeEach(async () => {
  database = sqliteExecutor(new SqliteDriver(':memory:'))
  for (const ladder of [schema, shardSchema]) await applySchema(database, ladder)
})

afterEach(() => database.close())

const lost = (outcome: 'unknown' | 'not-applied'): Error => new ConnectionLostError(new Error('cut'), outcome)

test('after a lost reply, a claim with the same token learns that it had won', async () => {
  let replies = 0
  const directory = sqliteDirectory(
    faulty(database, async (sql, run) => {
      const result = await run()
      if (sql.startsWith('insert') && replies++ === 0) throw lost('unknown')
      return result
    }),
  )
  const claim = directory.claim('ann', 7n, { token: 'sign-up 1' })
  await assert.rejects(claim, { code: 'CONNECTION_LOST', outcome: 'unknown', retryable: true })
  assert.equal((await directory.claim('ann', 8n)).id, 7n)
  const { id, won } = await directory.claim('ann', 7n, { token: 'sign-up 1' })
  assert.deepEqual([id, won], [7n, true])
})

test('a claim whose reading back fails does not say that nothing was applied', async () => {
  const directory = sqliteDirectory(
    faulty(database, (sql, run) => (sql.startsWith('select') ? Promise.reject(lost('not-applied')) : run())),
  )
  const refusal = { code: 'CONNECTION_LOST', outcome: 'unknown', retryable: true }
  await assert.rejects(directory.claim('ann', 7n), refusal)
  await assert.rejects(directory.put('bob', 8n), refusal)
  assert.deepEqual(
    await sqliteDirectory(database).resolveMany(['ann', 'bob']),
    new Map([
      ['ann', 7n],
      ['bob', 8n],
    ]),
  )
})

test('a claim that fails before it is written says so', async () => {
  const directory = sqliteDirectory(faulty(database, () => Promise.reject(lost('not-applied'))))
  await assert.rejects(directory.claim('ann', 7n), { code: 'CONNECTION_LOST', outcome: 'not-applied' })
  assert.equal(await sqliteDirectory(database).resolve('ann'), null)
})

/** Frees the key right after the insert, so many times. */
function snatching(times: number): Executor {
  let left = times
  return faulty(database, async (sql, run) => {
    const result = await run()
    if (sql.startsWith('insert') && left-- > 0)
      await database.execute({ sql: 'delete from shard_directory', parameters: [] })
    return result
  })
}

test('a claim whose key is freed under it claims again', async () => {
  const { id, won } = await sqliteDirectory(snatching(3)).claim('ann', 7n)
  assert.deepEqual([id, won], [7n, true])
  assert.equal(await sqliteDirectory(database).resolve('ann'), 7n)
})

test('a claim whose key is freed under it for ever gives up', async () => {
  const directory = sqliteDirectory(snatching(Number.POSITIVE_INFINITY))
  await assert.rejects(directory.claim('ann', 7n), { code: 'BUSY', retryable: true })
  await assert.rejects(directory.put('ann', 7n, { force: true }), { code: 'BUSY', retryable: true })
})

test('a step that is refused for a deadlock is made again, so many times, after random waits', async () => {
  const waits: number[] = []
  const refusing = (times: number): Executor => {
    let left = times
    return faulty(database, (_, run) =>
      left-- > 0 ? Promise.reject(new DeadlockError(new Error('refused'))) : run(),
    )
  }
  const retry = { attempts: 4, delay: async (ms: number) => void waits.push(ms), random: () => 0.5 }
  assert.equal((await sqliteDirectory(refusing(3), { retry }).claim('ann', 7n)).won, true)
  assert.deepEqual(waits, [4, 8, 16])
  const claim = sqliteDirectory(refusing(4), { retry }).claim('bob', 7n)
  await assert.rejects(claim, { code: 'DEADLOCK', retryable: true, outcome: 'not-applied' })
  assert.equal(await sqliteDirectory(database).resolve('bob'), null)
})

test('a challenger whose rival is confirmed at the last moment takes nothing', async () => {
  const owner = sqliteDirectory(database, { accountsHere: true })
  await owner.claim('ann', 7n, { token: 't', ttlMs: 1_000 })
  const later = skewed(database, () => 2_000)
  const challenger = faulty(later, async (sql, run) => {
    if (sql.startsWith('delete')) assert.equal(await owner.confirm('ann', 't'), true)
    return run()
  })
  const { id, won, state } = await sqliteDirectory(challenger, { accountsHere: true }).claim('ann', 8n)
  assert.deepEqual([id, won, state], [7n, false, 'confirmed'])
  assert.equal(await owner.resolve('ann'), 7n)
})
