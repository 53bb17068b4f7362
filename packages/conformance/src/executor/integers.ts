import assert from 'node:assert/strict'
import { type Check, items, rowsOf, spellingOf, sql } from './check.ts'

/** Around 2^31, 2^53 and 2^63, and values that drivers were seen to round or to give as text. */
const values = [
  0n,
  -1n,
  2147483648n,
  9007199254740991n,
  9007199254740992n,
  9007199254740993n,
  9023393775362049n,
  343535234303787009n,
  447880780019138560n,
  9223372036854775807n,
  -9223372036854775808n,
]

export function integers(test: Check): void {
  test('a BIGINT is a bigint and exact, whatever its value', async (executor) => {
    await executor.execute(sql('create table big (id bigint not null primary key)'))
    for (const id of values) await executor.execute(sql('insert into big (id) values (?)', id))
    const sorted = [...values].sort((a, b) => (a < b ? -1 : 1)).map((id) => ({ id }))
    // Without parameters and with them: some drivers read the two by different code.
    assert.deepEqual(await rowsOf(executor, 'select id from big order by id'), sorted)
    assert.deepEqual(await rowsOf(executor, 'select id from big where id <> ? order by id', 5n), sorted)
    for (const id of values) {
      assert.deepEqual(await rowsOf(executor, 'select id from big where id = ?', id), [{ id }])
      assert.deepEqual(await rowsOf(executor, 'select id from big where id in (?, ?)', id, 7n), [{ id }])
    }
    const streamed: unknown[] = []
    for await (const row of executor.stream(sql('select id from big order by id'))) streamed.push({ ...row })
    assert.deepEqual(streamed, sorted)
  })

  test('a bigint is computed with exactly', async (executor) => {
    await items(executor, 1)
    await executor.execute(sql('update items set id = ?', 9007199254740992n))
    await executor.execute(sql('update items set id = id + ?', 1n))
    assert.deepEqual(await rowsOf(executor, 'select id from items where id - ? = ?', 1n, 9007199254740992n), [
      { id: 9007199254740993n },
    ])
    assert.deepEqual(await rowsOf(executor, 'select id from items where id = ?', 9007199254740992n), [])
  })

  test('joins, sub-queries and unions keep the type of the column', async (executor) => {
    await items(executor, 2)
    const joined = 'select a.id as x, b.n as y from items a inner join items b on a.id = b.id where a.id = 1'
    assert.deepEqual(await rowsOf(executor, joined), [{ x: 1n, y: 1 }])
    const inner = 'select q.id, q.n from (select id, n from items) q where q.id = 2'
    assert.deepEqual(await rowsOf(executor, inner), [{ id: 2n, n: 2 }])
    const union = 'select id from items union all select id from items order by id'
    assert.deepEqual(
      await rowsOf(executor, union),
      [1n, 1n, 2n, 2n].map((id) => ({ id })),
    )
  })

  test('a narrower integer is a number', async (executor) => {
    await executor.execute(sql('create table narrow (a integer, b smallint)'))
    await executor.execute(sql('insert into narrow (a, b) values (?, ?)', 2147483647, -32768))
    assert.deepEqual(await rowsOf(executor, 'select a, b from narrow'), [{ a: 2147483647, b: -32768 }])
    assert.deepEqual(await rowsOf(executor, 'select a, b from narrow where a > ?', 1), [
      { a: 2147483647, b: -32768 },
    ])
  })

  test('what the engine computes as an integer is a bigint', async (executor) => {
    await items(executor, 3)
    const computed = 'select count(*) as c, max(id) as m, max(n) as x, 1 as one, min(n) + 1 as y from items'
    const expected = [{ c: 3n, m: 3n, x: 3n, one: 1n, y: 2n }]
    assert.deepEqual(await rowsOf(executor, computed), expected)
    assert.deepEqual(await rowsOf(executor, `${computed} where id < ?`, 10n), expected)
    const streamed: unknown[] = []
    for await (const row of executor.stream(sql(computed))) streamed.push({ ...row })
    assert.deepEqual(streamed, expected)
  })

  test('a write that gives its rows reads them by the same rule', async (executor) => {
    if (!spellingOf(executor).returning) return
    await items(executor, 1)
    const insert = 'insert into items (id, n) values (?, ?) returning id, n, n + 1 as m'
    assert.deepEqual(await rowsOf(executor, insert, 9007199254740993n, 5), [
      { id: 9007199254740993n, n: 5, m: 6n },
    ])
  })

  test('a null integer is null', async (executor) => {
    await items(executor, 1)
    await executor.execute(sql('update items set n = ?', null))
    assert.deepEqual(await rowsOf(executor, 'select n, max(n) as m from items group by n'), [
      { n: null, m: null },
    ])
  })
}
