import assert from 'node:assert/strict'
import { type Check, items, sql } from './check.ts'

export function affectedRows(test: Check): void {
  test('rows that were inserted, updated and deleted are counted', async (executor) => {
    await items(executor, 3)
    const count = async (text: string, ...parameters: unknown[]) =>
      (await executor.execute(sql(text, ...parameters))).affectedRows
    assert.equal(await count('insert into items (id) values (?), (?)', 10n, 11n), 2n)
    assert.equal(await count('update items set n = 5 where id <= 3'), 3n)
    assert.equal(await count('delete from items where id = ?', 3n), 1n)
    assert.equal(await count('delete from items where id = ?', 3n), 0n)
  })

  test('an update that matches a row and changes nothing counts it', async (executor) => {
    await items(executor, 1)
    for (let i = 0; i < 3; i++) {
      assert.equal((await executor.execute(sql('update items set n = n where id = ?', 1n))).affectedRows, 1n)
      assert.equal((await executor.execute(sql('update items set n = 1 where id = 1'))).affectedRows, 1n)
    }
  })

  test('a read affects no rows', async (executor) => {
    await items(executor, 3)
    assert.equal((await executor.execute(sql('select id from items'))).affectedRows, 0n)
    assert.equal((await executor.execute(sql('select id from items where id < ?', 9n))).affectedRows, 0n)
  })
}
