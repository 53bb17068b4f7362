import { type Clock, type Executor, isShardError, type Statement } from '@shard/core'
import { sqliteExecutor } from '@shard/core/sqlite'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sqliteFolder } from './sqlite-folder.ts'

const folder = sqliteFolder()
const q = (sql: string): Statement => ({ sql, parameters: [] })
const coded = (code: string) => (error: unknown) => isShardError(error, code as never)

let holder: Database.Database
let elapsedMs: number
let waits: number
/** Called at each wait, with its number from 1. */
let atWait: (wait: number) => void
let executor: Executor

beforeEach(async () => {
  await folder.connect('one').execute(q('create table t (id integer primary key)'))
  await folder.closeAll()
  holder = new Database(folder.pathOf('one'), { timeout: 0 })
  elapsedMs = 0
  waits = 0
  atWait = () => {}
  const clock: Clock = { now: () => elapsedMs, monotonicMs: () => elapsedMs }
  const delay = async (ms: number): Promise<void> => {
    elapsedMs += ms
    atWait(++waits)
  }
  executor = sqliteExecutor(new Database(folder.pathOf('one')), { busyTimeoutMs: 1_000, clock, delay })
})

afterEach(async () => {
  await executor.close()
  holder.close()
})

const insert = q('insert into t values (1)')
const writes: [string, () => Promise<unknown>][] = [
  ['a statement', () => executor.execute(insert)],
  ['a transaction', () => executor.transaction((tx) => tx.execute(insert))],
  ['a write through a stream', () => executor.stream(insert)[Symbol.asyncIterator]().next()],
]

test.each(writes)('%s waits for another connection, without blocking, and succeeds', async (_, write) => {
  holder.exec('begin immediate')
  atWait = (wait) => {
    if (wait === 5) holder.exec('commit')
  }
  await write()
  expect(waits).toBe(5)
  expect((await executor.execute(q('select id from t'))).rows).toEqual([{ id: 1 }])
})

test.each(writes)('%s is BUSY when the time is over, applied to nothing', async (_, write) => {
  holder.exec('begin immediate')
  await expect(write()).rejects.toMatchObject({ code: 'BUSY', retryable: true, outcome: 'not-applied' })
  expect(elapsedMs).toBeGreaterThanOrEqual(1_000)
  expect(elapsedMs).toBeLessThan(1_100)
  holder.exec('rollback')
  expect((await executor.execute(q('select id from t'))).rows).toEqual([])
  await write()
})

test('an abort ends the wait', async () => {
  holder.exec('begin immediate')
  const controller = new AbortController()
  atWait = () => controller.abort('why')
  const writing = executor.execute(insert, { signal: controller.signal })
  await expect(writing).rejects.toMatchObject({ code: 'ABORTED', outcome: 'not-applied' })
  expect(waits).toBe(1)
})

test('reads are not refused while another connection writes', async () => {
  holder.exec('begin immediate; insert into t values (9)')
  expect((await executor.execute(q('select id from t'))).rows).toEqual([])
  expect(waits).toBe(0)
})

test('a transaction that reads first can write later, whatever others wrote before it began', async () => {
  await executor.transaction(async (tx) => {
    await tx.execute(q('select * from t'))
    // It has the write lock since it began, so no rival can make its snapshot stale [D1].
    expect(() => holder.exec('begin immediate')).toThrow(/locked/)
    await tx.execute(insert)
  })
})

test('a file that another connection has locked as a whole is waited for from the first use', async () => {
  const path = folder.pathOf('rollback-journal')
  const other = new Database(path)
  other.exec('pragma locking_mode = exclusive; create table t (id integer); begin exclusive')
  const late = sqliteExecutor(new Database(path), { busyTimeoutMs: 0 })
  await expect(late.execute(insert)).rejects.toSatisfy(coded('BUSY'))
  other.exec('commit')
  other.close()
  await late.execute(insert)
  await late.close()
})
