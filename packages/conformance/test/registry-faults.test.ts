import { DeadlockError, type Executor, SerializationFailureError } from '@shard/core'
import { sqliteExecutor } from '@shard/core/sqlite'
import { ensureControlTables } from '@shard/registry'
import { sqliteRegistry } from '@shard/registry/sqlite'
import SqliteDriver from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { faulty } from './directory-hosts.ts'

let database: Executor
const waits: number[] = []
const retry = { attempts: 3, delay: async (ms: number) => void waits.push(ms), random: () => 0.25 }

beforeEach(async () => {
  waits.length = 0
  database = sqliteExecutor(new SqliteDriver(':memory:'))
  await ensureControlTables(database)
})

afterEach(() => database.close())

/** An executor that undoes its transactions at their end, so many of them, as an engine does with a victim. */
function refusing(times: number, error: Error): Executor {
  let left = times
  const transaction: Executor['transaction'] = (work, options) =>
    database.transaction(async (tx) => {
      const result = await work(tx)
      if (left-- > 0) throw error
      return result
    }, options)
  return { ...faulty(database, (_, run) => run()), transaction }
}

test.each([new DeadlockError(new Error('victim')), new SerializationFailureError(new Error('too late'))])(
  'a change that is refused with $code is made again, whole',
  async (error) => {
    const registry = sqliteRegistry(database, { family: 'users' })
    await registry.register({ id: 1, name: 'one', status: 'active' })
    await registry.register({ id: 2, name: 'two', status: 'standby' })
    let refusals = 0
    const unlucky = sqliteRegistry(refusing(1, error), {
      family: 'users',
      retry: { ...retry, delay: async () => void refusals++ },
    })
    expect(await unlucky.swapActive(1, 2, 1n)).toBe(true)
    expect(refusals).toBe(1)
    expect((await registry.history(1)).map(({ to }) => to)).toEqual(['active', 'sealed'])
  },
)

test('after so many refusals it gives up, and nothing is changed', async () => {
  const error = new DeadlockError(new Error('victim'))
  const changes = refusing(2, error)
  const registry = sqliteRegistry(changes, { family: 'users', retry })
  const given = { id: 1, name: 'one', status: 'active' } as const
  // The same error again means that a transaction around it is over: there is nothing to try again in.
  await expect(registry.register(given)).rejects.toBe(error)
  expect(waits).toEqual([2])
  expect(await registry.list()).toEqual([])
  expect(await registry.register(given)).toMatchObject({ version: 1n })
})
