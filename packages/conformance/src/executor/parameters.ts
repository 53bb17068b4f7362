import assert from 'node:assert/strict'
import { type Check, items, rejects, rowsOf, sql } from './check.ts'

const bad = [
  undefined,
  Number.NaN,
  new Date(0),
  {},
  [1],
  Symbol('x'),
  () => 1,
  'a\ud800',
  2n ** 64n,
  -(2n ** 63n) - 1n,
]

export function parameters(test: Check): void {
  test('a value that an engine would store as another is INVALID_ARGUMENT, and nothing is written', async (executor) => {
    await items(executor, 0)
    for (const value of bad) {
      await rejects(
        executor.execute(sql('insert into items (id, name) values (1, ?)', value)),
        'INVALID_ARGUMENT',
      )
    }
    assert.deepEqual(await rowsOf(executor, 'select id from items'), [])
  })

  test('what is no statement is INVALID_ARGUMENT', async (executor) => {
    for (const statement of [
      null,
      undefined,
      'select 1',
      {},
      { sql: 1, parameters: [] },
      { sql: 'select 1' },
    ]) {
      await rejects(executor.execute(statement as never), 'INVALID_ARGUMENT')
    }
  })

  test('two statements in one are refused, and neither runs', async (executor) => {
    await items(executor, 1)
    const two = 'update items set n = 7; update items set n = 8'
    await assert.rejects(executor.transaction((tx) => tx.execute(sql(two))))
    assert.deepEqual(await rowsOf(executor, 'select n from items'), [{ n: 1 }])
  })

  test('thousands of parameters fit, and thousands of different statements', async (executor) => {
    await items(executor, 10)
    const ids = Array.from({ length: 5_000 }, (_, i) => BigInt(i + 1))
    const text = `select count(*) as c from items where id in (${ids.map(() => '?').join(', ')})`
    assert.deepEqual(await rowsOf(executor, text, ...ids), [{ c: 10n }])
    for (let i = 0; i < 700; i++) {
      assert.deepEqual(await rowsOf(executor, `select id as x${i} from items where id = ?`, 1n), [
        { [`x${i}`]: 1n },
      ])
    }
  })
}
