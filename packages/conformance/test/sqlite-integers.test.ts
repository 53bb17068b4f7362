import { type Executor, isShardError, type Statement } from '@shard/core'
import { describe, expect, test } from 'vitest'
import { sqliteFolder } from './sqlite-folder.ts'

const folder = sqliteFolder()
const q = (sql: string, ...parameters: unknown[]): Statement => ({ sql, parameters })

type Row = Record<string, unknown>
type Read = (executor: Executor, statement: Statement) => Promise<Row[]>

const execute: Read = async (executor, statement) => [...(await executor.execute<Row>(statement)).rows]
const stream: Read = async (executor, statement) => {
  const rows: Row[] = []
  for await (const row of executor.stream<Row>(statement)) rows.push(row)
  return rows
}

/** Each way to read rows: all must give the same values of the same types. */
const ways: Record<string, Read> = {
  execute,
  stream,
  'execute in a transaction': (executor, statement) => executor.transaction((tx) => execute(tx, statement)),
  'stream in a transaction': (executor, statement) => executor.transaction((tx) => stream(tx, statement)),
  'execute in a savepoint': (executor, statement) =>
    executor.transaction((tx) => tx.transaction((inner) => execute(inner, statement))),
}

// [A1], [A2] and the ends of the range.
const values = [
  447880780019138560n,
  343535234303787009n,
  9007199254740991n,
  9007199254740992n,
  9007199254740993n,
  9023393775362049n,
  0n,
  -1n,
  -9007199254740993n,
  9223372036854775807n,
  -9223372036854775808n,
]

async function table(): Promise<Executor> {
  const executor = folder.connect('integers')
  await executor.execute(
    q(`create table t (
      id bigint primary key, eight int8, huge unsigned big int, n integer, small smallint, flag boolean,
      exact numeric, price decimal(10, 2), ratio real, name text, data blob
    )`),
  )
  return executor
}

describe.each(Object.entries(ways))('%s', (_, read) => {
  test('[A1] [A2] a BIGINT is the bigint that was written, whatever its size', async () => {
    const executor = await table()
    for (const value of values)
      await executor.execute(q('insert into t (id, eight, huge) values (?, ?, ?)', value, value, value))
    const sorted = [...values].sort((a, b) => (a < b ? -1 : 1))
    const rows = sorted.map((value) => ({ id: value, eight: value, huge: value }))
    expect(await read(executor, q('select id, eight, huge from t order by id'))).toEqual(rows)
    for (const id of values)
      expect(await read(executor, q('select id from t where id = ?', id))).toEqual([{ id }])
    const join = q('select a.id as id, b.id as other from t a join t b on a.id = b.eight order by a.id')
    expect(await read(executor, join)).toEqual(sorted.map((value) => ({ id: value, other: value })))
    const view = 'with v as (select id as renamed from t union all select huge from t) select renamed from v'
    expect(await read(executor, q(`select renamed from (${view}) order by renamed limit 2`))).toEqual([
      { renamed: sorted[0] },
      { renamed: sorted[0] },
    ])
  })

  test('a narrower column is a number; what the engine computes is a bigint', async () => {
    const executor = await table()
    await executor.execute(
      q('insert into t (id, n, small, flag) values (1, 5, 6, true), (2, 2147483647, -1, false)'),
    )
    expect(await read(executor, q('select n, small, flag from t order by id'))).toEqual([
      { n: 5, small: 6, flag: 1 },
      { n: 2147483647, small: -1, flag: 0 },
    ])
    const computed =
      'count(*) as c, max(n) as m, sum(small) as s, min(id) as i, 7 as seven, max(n) + 1 as plus'
    expect(await read(executor, q(`select ${computed} from t`))).toEqual([
      { c: 2n, m: 2147483647n, s: 5n, i: 1n, seven: 7n, plus: 2147483648n },
    ])
    expect(await read(executor, q('select ? as p, ? as r', 5, 2 ** 40))).toEqual([{ p: 5n, r: 2n ** 40n }])
  })

  test('NUMERIC and floats are numbers, text and blobs are themselves, absent is null', async () => {
    const executor = await table()
    const data = Uint8Array.of(0, 255)
    await executor.execute(
      q('insert into t values (1,1,1,1,1,1, 9007199254740991, 1.5, 2, ?, ?)', 'ü\u{1f600}', data),
    )
    await executor.execute(q('insert into t (id) values (2)'))
    const rows = await read(executor, q('select exact, price, ratio, name, data from t order by id'))
    expect(rows[0]).toMatchObject({ exact: 9007199254740991, price: 1.5, ratio: 2, name: 'ü\u{1f600}' })
    expect(Uint8Array.from(rows[0]?.data as Uint8Array)).toEqual(data)
    expect(rows[0]?.data).toBeInstanceOf(Uint8Array)
    expect(rows[1]).toEqual({ exact: null, price: null, ratio: null, name: null, data: null })
  })

  test('a value that a number cannot hold is an error, never rounded', async () => {
    const executor = await table()
    await executor.execute(q('insert into t (id, n) values (1, ?)', 2n ** 53n))
    const reading = read(executor, q('select n from t'))
    await expect(reading).rejects.toSatisfy((error) => isShardError(error, 'INTEGER_OUT_OF_RANGE'))
  })

  test('of two columns named alike, the last gives the value and the type', async () => {
    const executor = await table()
    await executor.execute(q('insert into t (id, n) values (?, 5)', 2n ** 60n))
    const wide = q('select a.n as x, b.id as x from t a join t b')
    expect(await read(executor, wide)).toEqual([{ x: 2n ** 60n }])
    expect(await read(executor, q('select b.id as x, a.n as x from t a join t b'))).toEqual([{ x: 5 }])
  })
})

test('RETURNING reads as a select does', async () => {
  const executor = await table()
  const insert = q(
    'insert into t (id, n, exact) values (?, 5, 6) returning id, n, exact, n + 1 as more',
    2n ** 60n,
  )
  const { rows, affectedRows } = await executor.execute(insert)
  expect(rows).toEqual([{ id: 2n ** 60n, n: 5, exact: 6, more: 6n }])
  expect(affectedRows).toBe(1n)
  const changed = await executor.execute(q('update t set n = 9 returning *'))
  expect(changed.rows[0]).toMatchObject({ id: 2n ** 60n, n: 9, exact: 6 })
})

test('a write whose returned row cannot be read says that it was applied', async () => {
  const executor = await table()
  const insert = (id: bigint): Statement =>
    q('insert into t (id, n) values (?, ?) returning n', id, 2n ** 53n)
  await expect(executor.execute(insert(1n))).rejects.toMatchObject({
    code: 'INTEGER_OUT_OF_RANGE',
    outcome: 'applied',
  })
  expect(await execute(executor, q('select id from t'))).toEqual([{ id: 1n }])
  await expect(executor.transaction((tx) => tx.execute(insert(2n)))).rejects.toMatchObject({
    outcome: 'unknown',
  })
  expect(await execute(executor, q('select id from t'))).toEqual([{ id: 1n }])
})

test('types follow the columns when the schema changes under a statement that was prepared', async () => {
  const [executor, other] = [await table(), folder.connect('integers')]
  await executor.execute(q('insert into t (id, n) values (1, 5)'))
  expect((await execute(executor, q('select * from t')))[0]).toMatchObject({ id: 1n, n: 5 })
  await other.execute(q('alter table t rename column n to renamed'))
  await other.execute(q('alter table t add column added integer default 7'))
  expect((await execute(executor, q('select * from t')))[0]).toMatchObject({ id: 1n, renamed: 5, added: 7 })
  await other.execute(q('alter table t rename column renamed to again'))
  expect((await execute(executor, q('select * from t')))[0]).toMatchObject({ id: 1n, again: 5, added: 7 })
})

test('what is bound comes back: numbers, booleans, bigints up to the ends', async () => {
  const executor = await table()
  await executor.execute(
    q('insert into t (id, n, flag, ratio) values (?, ?, ?, ?)', -(2n ** 63n), -5, true, 0.1),
  )
  const rows = await execute(executor, q('select id, n, flag, ratio, typeof(n) as type from t'))
  expect(rows).toEqual([{ id: -(2n ** 63n), n: -5, flag: 1, ratio: 0.1, type: 'integer' }])
  await expect(executor.execute(q('select ?', 2n ** 63n))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
})
