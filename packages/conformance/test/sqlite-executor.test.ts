import { existsSync } from 'node:fs'
import { type Executor, isShardError, type Statement } from '@shard/core'
import { type SqliteDatabase, sqliteExecutor } from '@shard/core/sqlite'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { sqliteFolder } from './sqlite-folder.ts'

const folder = sqliteFolder()
const q = (sql: string, ...parameters: unknown[]): Statement => ({ sql, parameters })
const coded = (code: string) => (error: unknown) => isShardError(error, code as never)

async function table(): Promise<Executor> {
  const executor = folder.connect('one')
  await executor.execute(
    q('create table t (id bigint primary key, name text not null unique, n integer check (n > 0))'),
  )
  return executor
}

describe('a file', () => {
  test('is in WAL mode, with full synchronous writes, from the first use', async () => {
    const database = new Database(folder.pathOf('one'))
    const executor = sqliteExecutor(database)
    await executor.execute(q('create table t (id bigint)'))
    expect(database.pragma('journal_mode', { simple: true })).toBe('wal')
    expect(database.pragma('synchronous', { simple: true })).toBe(2)
    expect(database.pragma('busy_timeout', { simple: true })).toBe(0)
    await executor.close()
  })

  test.each([
    ['normal', 1],
    ['extra', 3],
  ] as const)('synchronous can be %s', async (synchronous, level) => {
    const database = new Database(folder.pathOf('one'))
    const executor = sqliteExecutor(database, { synchronous })
    await executor.execute(q('create table t (id bigint)'))
    expect(database.pragma('synchronous', { simple: true })).toBe(level)
    await executor.close()
  })

  test('the driver as it is fits the type that is asked for', () => {
    const database: SqliteDatabase = new Database(':memory:')
    expect(sqliteExecutor(database)).toMatchObject({ dialect: 'sqlite', family: null })
  })
})

test('affected rows: matched rows count, changed or not; 0 for a read and for DDL', async () => {
  const executor = await table()
  const affected = async (sql: string): Promise<bigint> => (await executor.execute(q(sql))).affectedRows
  expect(await affected("insert into t values (1, 'a', 1), (2, 'b', 1)")).toBe(2n)
  expect(await affected('update t set n = 1')).toBe(2n)
  expect(await affected('update t set n = 1 where id = 9')).toBe(0n)
  expect(await affected('create table u (id bigint)')).toBe(0n)
  expect(await affected('select * from t')).toBe(0n)
  expect(await affected("insert into t values (1, 'z', 1) on conflict do nothing")).toBe(0n)
  expect(await affected('delete from t returning id')).toBe(2n)
})

describe('errors are translated', () => {
  test.each([
    ['UNIQUE_VIOLATION', "insert into t values (1, 'other', 1)"],
    ['UNIQUE_VIOLATION', "insert into t values (2, 'a', 1)"],
    ['CONSTRAINT_VIOLATION', "insert into t values (2, 'b', 0)"],
    ['CONSTRAINT_VIOLATION', 'insert into t values (2, null, 1)'],
    ['QUERY_FAILED', 'selec 1'],
    ['QUERY_FAILED', 'select * from missing'],
    ['INVALID_ARGUMENT', 'select 1; select 2'],
    ['INVALID_ARGUMENT', ''],
    ['INVALID_ARGUMENT', 'select ?'],
  ])('%s: %s', async (code, sql) => {
    const executor = await table()
    await executor.execute(q("insert into t values (1, 'a', 1)"))
    const error = await executor.execute(q(sql)).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code, retryable: false, outcome: 'not-applied' })
    expect((await executor.execute(q('select count(*) as n from t'))).rows).toEqual([{ n: 1n }])
  })

  test('CONSTRAINT_VIOLATION at the commit, of a deferred foreign key: nothing stays', async () => {
    const executor = await table()
    await executor.execute(q('create table u (t bigint references t (id) deferrable initially deferred)'))
    const failing = executor.transaction((tx) => tx.execute(q('insert into u values (77)')))
    await expect(failing).rejects.toSatisfy(coded('CONSTRAINT_VIOLATION'))
    expect((await executor.execute(q('select * from u'))).rows).toEqual([])
  })

  test('READ_ONLY: reads go on, streams too', async () => {
    await (await table()).execute(q("insert into t values (1, 'a', 1)"))
    const executor = sqliteExecutor(new Database(folder.pathOf('one'), { readonly: true }))
    await expect(executor.execute(q('delete from t'))).rejects.toSatisfy(coded('READ_ONLY'))
    expect((await executor.execute(q('select id from t'))).rows).toEqual([{ id: 1n }])
    const rows: unknown[] = []
    for await (const row of executor.stream(q('select id from t'))) rows.push(row)
    expect(rows).toEqual([{ id: 1n }])
    await executor.close()
  })

  test('hostile statements and parameters are refused before any I/O', async () => {
    const executor = folder.connect('untouched')
    const statements = [null, undefined, 5, 'select 1', {}, { sql: 5, parameters: [] }, { sql: 'select 1' }]
    for (const statement of statements)
      await expect(executor.execute(statement as never)).rejects.toSatisfy(coded('INVALID_ARGUMENT'))
    for (const value of [undefined, Number.NaN, '\ud800', {}, [], new Date(0), 2n ** 64n])
      await expect(executor.execute(q('select ?', value))).rejects.toSatisfy(coded('INVALID_ARGUMENT'))
    expect(existsSync(`${folder.pathOf('untouched')}-wal`)).toBe(false)
  })

  test('hostile text is a value like any other', async () => {
    const executor = await table()
    for (const [i, name] of ["'; drop table t; --", 'a\0b', '"`\\', '\u{1f600}', ' '].entries()) {
      await executor.execute(q('insert into t (id, name) values (?, ?)', i + 1, name))
      const { rows } = await executor.execute(q('select name from t where name = ?', name))
      expect(rows).toEqual([{ name }])
    }
  })
})

describe('[J1] closing', () => {
  test('before the first use, twice, and at once', async () => {
    const executor = folder.connect('one')
    await Promise.all([executor.close(), executor.close()])
    await executor.close()
    await executor[Symbol.asyncDispose]()
  })

  test('refuses later calls of every kind', async () => {
    const executor = await table()
    await executor.close()
    await expect(executor.execute(q('select 1'))).rejects.toSatisfy(coded('CLOSED'))
    await expect(executor.transaction(async () => {})).rejects.toSatisfy(coded('CLOSED'))
    const reading = async (): Promise<void> => {
      for await (const _ of executor.stream(q('select 1')));
    }
    await expect(reading()).rejects.toSatisfy(coded('CLOSED'))
  })

  test('waits for the transaction in flight, which commits', async () => {
    const executor = await table()
    const running = executor.transaction(async (tx) => {
      await new Promise((resolve) => setImmediate(resolve))
      await tx.execute(q("insert into t values (1, 'a', 1)"))
    })
    const closing = executor.close()
    await running
    await closing
    const again = folder.connect('one')
    expect((await again.execute(q('select id from t'))).rows).toEqual([{ id: 1n }])
  })

  test('inside its own transaction is refused, for it would wait for itself', async () => {
    const executor = await table()
    await executor.transaction(async (tx) => {
      await expect(executor.close()).rejects.toSatisfy(coded('TRANSACTION_BUSY'))
      await tx.execute(q("insert into t values (1, 'a', 1)"))
    })
    expect((await executor.execute(q('select id from t'))).rows).toEqual([{ id: 1n }])
  })

  test('a database that the app has closed is CLOSED, at the start and later', async () => {
    const database = new Database(':memory:')
    const executor = sqliteExecutor(database)
    database.close()
    await expect(executor.execute(q('select 1'))).rejects.toSatisfy(coded('CLOSED'))
    expect(() => sqliteExecutor(database)).toThrow(expect.objectContaining({ code: 'CLOSED' }))
  })
})

test('a signal that is aborted already stops a call before it runs', async () => {
  const executor = await table()
  const options = { signal: AbortSignal.abort('why') }
  const insert = q("insert into t values (1, 'a', 1)")
  const aborted = { code: 'ABORTED', outcome: 'not-applied', cause: 'why' }
  await expect(executor.execute(insert, options)).rejects.toMatchObject(aborted)
  await expect(executor.transaction((tx) => tx.execute(insert), options)).rejects.toMatchObject(aborted)
  expect((await executor.execute(q('select id from t'))).rows).toEqual([])
})
