import assert from 'node:assert/strict'
import { type Check, items, rejects, rowsOf, sql } from '../executor/check.ts'

const MAX = Number.MAX_SAFE_INTEGER
const safe = [0, -1, 2 ** 31, 2 ** 53 - 2, MAX, -MAX]
const unsafe = [2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n), 2n ** 63n - 1n, 2 ** 53, -(2 ** 60)]

export function integers(test: Check): void {
  test('it says that it has none of 64 bits', async (executor) => {
    assert.equal(executor.int64, false)
  })

  test('a whole number of up to 53 bits is a number and exact, written as a number or a bigint', async (executor) => {
    await executor.execute(sql('create table big (id bigint not null primary key)'))
    for (const [i, id] of safe.entries()) {
      await executor.execute(sql('insert into big (id) values (?)', i % 2 ? id : BigInt(id)))
      assert.deepEqual(await rowsOf(executor, 'select id from big where id = ?', BigInt(id)), [{ id }])
      assert.deepEqual(await rowsOf(executor, 'select id from big where id in (?, ?)', id, 7n), [{ id }])
    }
    const sorted = [...safe].sort((a, b) => a - b).map((id) => ({ id }))
    assert.deepEqual(await rowsOf(executor, 'select id from big order by id'), sorted)
    const streamed: unknown[] = []
    for await (const row of executor.stream(sql('select id from big order by id'))) streamed.push({ ...row })
    assert.deepEqual(streamed, sorted)
  })

  test('what is computed is a number', async (executor) => {
    await items(executor, 3)
    const computed = 'select count(*) as c, max(id) as m, 1 as one, min(n) + 1 as y from items'
    assert.deepEqual(await rowsOf(executor, computed), [{ c: 3, m: 3, one: 1, y: 2 }])
    const returning = 'insert into items (id, n) values (?, ?) returning id, n + 1 as m'
    assert.deepEqual(await rowsOf(executor, returning, BigInt(MAX), 5), [{ id: MAX, m: 6 }])
  })

  test('a parameter of more than 53 bits is INVALID_ARGUMENT, and nothing is written', async (executor) => {
    await items(executor, 0)
    for (const id of unsafe) {
      await rejects(executor.execute(sql('insert into items (id) values (?)', id)), 'INVALID_ARGUMENT')
    }
    assert.deepEqual(await rowsOf(executor, 'select id from items'), [])
  })

  test('a result of more than 53 bits is INTEGER_OUT_OF_RANGE, and says what became of the write', async (executor) => {
    await items(executor, 0)
    await executor.execute(sql('insert into items (id) values (9007199254740993)'))
    const read = executor.execute(sql('select id from items'))
    await assert.rejects(read, { code: 'INTEGER_OUT_OF_RANGE', outcome: 'not-applied' })
    const write = executor.execute(sql('update items set n = 1 returning id'))
    await assert.rejects(write, { code: 'INTEGER_OUT_OF_RANGE', outcome: 'applied' })
    assert.deepEqual(await rowsOf(executor, 'select n, cast(id as text) as id from items'), [
      { n: 1, id: '9007199254740993' },
    ])
  })
}
