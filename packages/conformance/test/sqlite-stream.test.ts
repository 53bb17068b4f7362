import { type Executor, isShardError, type Statement } from '@shard/core'
import { sqliteExecutor } from '@shard/core/sqlite'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sqliteFolder } from './sqlite-folder.ts'

const folder = sqliteFolder()
const q = (sql: string, ...parameters: unknown[]): Statement => ({ sql, parameters })
const coded = (code: string) => (error: unknown) => isShardError(error, code as never)
const all = q('select id from t order by id')

let database: Database.Database
let executor: Executor

beforeEach(async () => {
  database = new Database(folder.pathOf('one'))
  executor = sqliteExecutor(database)
  await executor.execute(q('create table t (id integer primary key)'))
  await executor.execute(
    q(
      'with recursive n(i) as (select 1 union all select i + 1 from n where i < 1250) insert into t select i from n',
    ),
  )
})

afterEach(() => executor.close())

function temporaryTables(): unknown[] {
  return database.prepare("select name from temp.sqlite_master where type = 'table'").all()
}

async function idsOf(rows: AsyncIterable<{ id: number }>): Promise<number[]> {
  const ids: number[] = []
  for await (const { id } of rows) ids.push(id)
  return ids
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)

test.each([0, 1, 499, 500, 501, 1000, 1250])(
  'gives all of %i rows, in order, and leaves no table',
  async (count) => {
    const rows = executor.stream<{ id: number }>(q('select id from t where id <= ? order by id', count))
    expect(await idsOf(rows)).toEqual(upTo(count))
    expect(temporaryTables()).toEqual([])
  },
)

test('writers are not refused between the rows, and the rows are those of the start', async () => {
  const seen: number[] = []
  const other = folder.connect('one')
  for await (const { id } of executor.stream<{ id: number }>(all)) {
    seen.push(id)
    if (id % 100 === 0) {
      await executor.execute(q('delete from t where id = ?', id + 50))
      await other.execute(q('insert into t values (?)', id + 10_000))
      await executor.transaction((tx) => tx.execute(q('insert into t values (?)', id + 20_000)))
    }
  }
  expect(seen).toEqual(upTo(1250))
  expect((await executor.execute(q('select count(*) as n from t'))).rows).toEqual([{ n: 1262n }])
})

test('two streams at once, and the same statement, do not mix', async () => {
  const [a, b] = await Promise.all([
    idsOf(executor.stream<{ id: number }>(all)),
    idsOf(executor.stream<{ id: number }>(all)),
  ])
  expect([a.length, b.length]).toEqual([1250, 1250])
  expect(a).toEqual(b)
})

describe('leaving early', () => {
  test.each([1, 500, 700])('by break, after %i rows', async (count) => {
    let seen = 0
    for await (const _ of executor.stream(all)) if (++seen === count) break
    expect(temporaryTables()).toEqual([])
  })

  test('by an error in the loop', async () => {
    const failing = (async () => {
      for await (const _ of executor.stream(all)) throw new Error('mine')
    })()
    await expect(failing).rejects.toThrow('mine')
    expect(temporaryTables()).toEqual([])
  })

  test('by an abort, between pages', async () => {
    const controller = new AbortController()
    let seen = 0
    const reading = (async () => {
      for await (const _ of executor.stream(all, { signal: controller.signal }))
        if (++seen === 600) controller.abort('why')
    })()
    await expect(reading).rejects.toMatchObject({ code: 'ABORTED', cause: 'why' })
    expect(seen).toBe(1000)
    expect(temporaryTables()).toEqual([])
  })

  test('in a transaction, which goes on', async () => {
    await executor.transaction(async (tx) => {
      for await (const _ of tx.stream(all)) break
      await tx.execute(q('insert into t values (5000)'))
    })
    expect(temporaryTables()).toEqual([])
    expect((await executor.execute(q('select id from t where id = 5000'))).rows).toHaveLength(1)
  })
})

test('closing under a stream ends it with CLOSED', async () => {
  const reading = (async () => {
    for await (const { id } of executor.stream<{ id: number }>(all)) if (id === 1) await executor.close()
  })()
  await expect(reading).rejects.toSatisfy(coded('CLOSED'))
})

test('a stream that is never read runs nothing', async () => {
  executor.stream(q('insert into t values (9000)'))
  expect((await executor.execute(q('select id from t where id = 9000'))).rows).toEqual([])
})

test.each([
  ['a write with RETURNING', 'insert into t values (9000) returning id', [{ id: 9000 }]],
  ['a pragma', 'pragma user_version', [{ user_version: 0n }]],
  ['values', 'values (1)', [{ column1: 1n }]],
  ['a CTE', 'with a as (select 1 as x) select x from a', [{ x: 1n }]],
  ['a select behind a comment', '-- all\nselect 1 as x', [{ x: 1n }]],
  ['a semicolon at the end', 'select 1 as x;', [{ x: 1n }]],
  ['a column with a hostile name', 'select 1 as """; drop table t; --"', [{ '"; drop table t; --': 1n }]],
])('%s can be streamed', async (_, sql, expected) => {
  const rows: unknown[] = []
  for await (const row of executor.stream(q(sql))) rows.push(row)
  expect(rows).toEqual(expected)
  expect(temporaryTables()).toEqual([])
})

test('a statement that fails does so at the first row', async () => {
  const reading = executor.stream(q('select * from missing'))[Symbol.asyncIterator]().next()
  await expect(reading).rejects.toSatisfy(coded('QUERY_FAILED'))
})
