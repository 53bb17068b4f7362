import type { DialectName, Executor } from '@shard/core'
import { describe, expect, test } from 'vitest'
import { type KyselyExecutorOptions, kyselyExecutor } from '../src/kysely-executor.ts'
import { type Answer, coded, fakeKysely } from './fake-kysely.ts'

const select = { sql: 'select 1', parameters: [] }
const insert = { sql: 'insert into t values (1)', parameters: [] }

function open(dialect: DialectName, answer?: Answer, options?: KyselyExecutorOptions) {
  const kysely = fakeKysely(answer)
  return { ...kysely, executor: kyselyExecutor(kysely.db, dialect, options) }
}

/** Throws `error` at one statement, and answers the others. */
const failingAt =
  (sql: string, error: Error): Answer =>
  (asked) => {
    if (asked === sql) throw error
    return {}
  }

async function drain(executor: Executor, sql: string): Promise<unknown[]> {
  const rows: unknown[] = []
  for await (const row of executor.stream({ sql, parameters: [] })) rows.push(row)
  return rows
}

describe('a transaction', () => {
  test('is committed once, and its connection is given back', async () => {
    const { executor, log, taken } = open('postgres')
    expect(await executor.transaction((tx) => tx.execute(insert).then(() => 5))).toBe(5)
    expect([log, taken()]).toEqual([['begin', insert.sql, 'commit'], 0])
  })

  test('in which a statement failed is never said to be committed, where the server undoes it', async () => {
    const { executor, log, taken } = open('postgres', failingAt(insert.sql, coded('23505')))
    const call = executor.transaction((tx) => tx.execute(insert).catch(() => {}))
    await expect(call).rejects.toMatchObject({ code: 'QUERY_FAILED', outcome: 'not-applied' })
    expect([log.at(-1), taken()]).toEqual(['rollback', 0])
  })

  test('goes on when the savepoint before the failure was restored', async () => {
    const { executor, log } = open('postgres', failingAt(insert.sql, coded('23505')))
    await executor.transaction((tx) => tx.transaction((inner) => inner.execute(insert)).catch(() => {}))
    expect(log.slice(-2)).toEqual(['rollback to savepoint shard_1', 'commit'])
  })

  test('goes on after a refusal that never reached the engine', async () => {
    const { executor, log } = open('mysql')
    await executor.transaction((tx) => tx.execute({ sql: 'drop table t', parameters: [] }).catch(() => {}))
    expect(log).toEqual(['begin', 'commit'])
  })

  test.each<[DialectName, string, Error]>([
    ['mysql', 'DEADLOCK', Object.assign(coded('ER_LOCK_DEADLOCK'), { errno: 1213 })],
    ['sqlite', 'DISK_FULL', coded('SQLITE_FULL')],
    ['postgres', 'SERIALIZATION_FAILURE', coded('40001')],
  ])('that the engine may have undone runs nothing more: %s, %s', async (dialect, code, error) => {
    const { executor, log } = open(dialect, failingAt(insert.sql, error))
    const call = executor.transaction(async (tx) => {
      await tx.execute(insert).catch(() => {})
      await tx.execute(select)
    })
    await expect(call).rejects.toMatchObject({ code })
    expect(log).toEqual(['begin', insert.sql, 'rollback'])
  })

  test.each([
    ['23503', 'CONSTRAINT_VIOLATION', 'not-applied'],
    ['ECONNRESET', 'CONNECTION_LOST', 'unknown'],
    [undefined, 'QUERY_FAILED', 'unknown'],
  ])('whose commit fails says whether it was applied: %s', async (code, expected, outcome) => {
    const error = code === undefined ? new Error('something broke') : coded(code)
    const { executor, taken } = open('postgres', failingAt('commit', error))
    const call = executor.transaction((tx) => tx.execute(insert))
    await expect(call).rejects.toMatchObject({ code: expected, outcome })
    expect(taken()).toBe(0)
  })

  test('that cannot begin has done nothing', async () => {
    const { executor, taken } = open('postgres', failingAt('begin', coded('ECONNREFUSED')))
    const call = executor.transaction(async () => {})
    await expect(call).rejects.toMatchObject({ code: 'CONNECTION_LOST', outcome: 'not-applied' })
    expect(taken()).toBe(0)
  })

  test('is refused where there is none', async () => {
    const { executor, log } = open('sqlite', undefined, { sessions: 'none' })
    await expect(executor.transaction(async () => {})).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    expect(log).toEqual([])
  })
})

describe('with one session', () => {
  test('a statement waits for the transaction that is open, or for its signal', async () => {
    const { executor, log } = open('sqlite')
    let end = (): void => {}
    const held = new Promise<void>((resolve) => {
      end = resolve
    })
    const transaction = executor.transaction(() => held)
    const abort = new AbortController()
    const impatient = executor.execute(select, { signal: abort.signal })
    const patient = executor.execute(insert)
    abort.abort()
    await expect(impatient).rejects.toMatchObject({ code: 'ABORTED' })
    end()
    await Promise.all([transaction, patient])
    expect(log).toEqual(['begin', 'commit', insert.sql])
  })

  test('a stream is read in pages, and what was kept for it is dropped', async () => {
    const pages = [500, 500, 1].map((rows) => Array.from({ length: rows }, () => ({ id: 1 })))
    const answer: Answer = (sql) => (sql.startsWith('fetch') ? { rows: pages.shift() ?? [] } : {})
    const { executor, log } = open('postgres', answer, { sessions: 'one' })
    expect(await drain(executor, 'select id from t')).toHaveLength(1_001)
    expect(log[0]).toBe('declare shard_kept_1 no scroll cursor with hold for select id from t')
    expect(log.slice(1)).toEqual([
      ...Array.from({ length: 3 }, () => 'fetch forward 500 from shard_kept_1'),
      'close shard_kept_1',
    ])
  })

  test('a stream of a write runs it once', async () => {
    const { executor, log } = open('sqlite', () => ({ rows: [{ id: 1 }] }))
    const sql = 'with a as (select 1) insert into t select * from a returning id'
    expect(await drain(executor, sql)).toEqual([{ id: 1 }])
    expect(log).toEqual([sql])
  })
})

test('without sessions a stream asks for as many rows as it may hold', async () => {
  const { executor, log } = open('sqlite', () => ({ rows: [{ id: 1 }] }), { sessions: 'none' })
  expect(await drain(executor, 'select id from t -- all')).toEqual([{ id: 1 }])
  expect(log).toEqual(['select * from (select id from t -- all\n) as shard_rows limit 100001'])
})

test('integers are read by their columns, and what a number cannot hold is refused', async () => {
  const big = 2n ** 53n
  const columns = () => [
    { name: 'wide', integer: 'bigint' as const },
    { name: 'narrow', integer: 'number' as const },
    { name: 'other', integer: null },
  ]
  const row = { wide: 5, narrow: 6n, other: 7.5 }
  const { executor } = open('sqlite', () => ({ rows: [{ ...row }] }), { columns })
  expect((await executor.execute(select)).rows).toEqual([{ wide: 5n, narrow: 6, other: 7.5 }])
  const { executor: full } = open('sqlite', () => ({ rows: [{ ...row, narrow: big }] }), { columns })
  await expect(full.execute(select)).rejects.toMatchObject({ outcome: 'not-applied' })
  await expect(full.execute(insert)).rejects.toMatchObject({
    code: 'INTEGER_OUT_OF_RANGE',
    outcome: 'applied',
  })
})

test('statements that drivers would cut short are refused', async () => {
  const { executor, log } = open('sqlite')
  const run = (sql: string) => executor.execute({ sql, parameters: [] })
  await expect(run('select 1; select 2')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
  await expect(run("select ';' /* ; */ ; -- ; x\n ;")).resolves.toBeDefined()
  await expect(run('create trigger a after insert on t begin select 1; select 2; end')).resolves.toBeDefined()
  expect(log).toHaveLength(2)
})

test('closing waits for what runs, is done once, and ends the rest', async () => {
  const { executor, log } = open('postgres')
  const running = executor.transaction((tx) => tx.execute(insert))
  await Promise.all([executor.close(), executor.close(), running])
  expect(log).toEqual(['begin', insert.sql, 'commit', 'destroy'])
  await expect(executor.execute(select)).rejects.toMatchObject({ code: 'CLOSED' })
})

test.each([{ sessions: 'two' as never }])('bad options are refused: %o', (options) => {
  expect(() => open('sqlite', undefined, options)).toThrow(
    expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
  )
})
