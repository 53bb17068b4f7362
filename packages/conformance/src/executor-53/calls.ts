import assert from 'node:assert/strict'
import { type Check, items, rejects, rowsOf, sql } from '../executor/check.ts'

export function calls(test: Check): void {
  test('text, bytes, floats and nulls come back as they were written', async (executor) => {
    await executor.execute(sql('create table kinds (t text, b blob, x double precision, z integer)'))
    const bytes = Uint8Array.from({ length: 256 }, (_, i) => i)
    await executor.execute(sql('insert into kinds values (?, ?, ?, ?)', "it's 🙂", bytes, 0.1, null))
    assert.deepEqual(await rowsOf(executor, 'select t, b, x, z from kinds'), [
      { t: "it's 🙂", b: bytes, x: 0.1, z: null },
    ])
  })

  test('rows that were written are counted, and a read counts none', async (executor) => {
    await items(executor, 3)
    const count = async (text: string, ...parameters: unknown[]) =>
      (await executor.execute(sql(text, ...parameters))).affectedRows
    assert.equal(await count('insert into items (id) values (?), (?)', 10n, 11), 2n)
    assert.equal(await count('update items set n = n where id <= 3'), 3n)
    assert.equal(await count('delete from items where id = ?', 3n), 1n)
    assert.equal(await count('delete from items where id = ?', 3n), 0n)
    assert.equal(await count('select id from items'), 0n)
  })

  test('what the engine refuses has its code, and was not applied', async (executor) => {
    await items(executor, 1)
    const refused = (text: string, code: string) =>
      assert.rejects(executor.execute(sql(text)), { code, outcome: 'not-applied', retryable: false })
    await refused('insert into items (id) values (1)', 'UNIQUE_VIOLATION')
    await refused('insert into items (id, n) values (2, 1000001)', 'CONSTRAINT_VIOLATION')
    await refused('selec 1', 'QUERY_FAILED')
    await refused('update items set n = 7; update items set n = 8', 'INVALID_ARGUMENT')
    await refused('begin', 'INVALID_ARGUMENT')
    assert.deepEqual(await rowsOf(executor, 'select id, n from items'), [{ id: 1, n: 1 }])
  })

  test('a stream gives every row, in order, and ends when its signal is aborted', async (executor) => {
    await items(executor, 1_200)
    const all = sql('select id from items order by id desc')
    const rows: unknown[] = []
    for await (const row of executor.stream(all)) rows.push({ ...row })
    assert.deepEqual([rows.length, rows[0]], [1_200, { id: 1_200 }])
    const abort = new AbortController()
    const reading = async () => {
      for await (const _ of executor.stream(all, { signal: abort.signal })) abort.abort()
    }
    await rejects(reading(), 'ABORTED')
  })

  test('a signal that is aborted already lets nothing run', async (executor) => {
    await items(executor, 0)
    const signal = AbortSignal.abort(new Error('enough'))
    await rejects(executor.execute(sql('insert into items (id) values (1)'), { signal }), 'ABORTED')
    assert.deepEqual(await rowsOf(executor, 'select id from items'), [])
  })

  test('a closed executor takes no more', async (executor) => {
    await executor.close()
    await executor.close()
    await rejects(executor.execute(sql('select 1 as one')), 'CLOSED')
  })
}
