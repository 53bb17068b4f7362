import assert from 'node:assert/strict'
import { type Check, items, rowsOf, spellingOf, sql } from './check.ts'

/** Many scripts, both normal forms, beyond the BMP, what quoting goes wrong on, and trailing blanks. */
const texts = [
  '',
  'a',
  "it's",
  '"q"',
  '\\',
  '`',
  '$1 ?',
  'é',
  'é',
  'ß',
  'İ',
  '日本',
  '🙂',
  '\u{10ffff}',
  'x ',
  '\t\n',
]

export function values(test: Check): void {
  test('text comes back as it was written', async (executor) => {
    await items(executor, 0)
    for (const [i, name] of texts.entries()) {
      await executor.execute(sql('insert into items (id, name) values (?, ?)', BigInt(i + 1), name))
    }
    const rows = await rowsOf(executor, 'select name from items order by id')
    assert.deepEqual(
      rows,
      texts.map((name) => ({ name })),
    )
  })

  test('bytes come back as a Uint8Array', async (executor) => {
    await executor.execute(
      sql(`create table files (id bigint primary key, content ${spellingOf(executor).bytes})`),
    )
    const content = Uint8Array.from({ length: 256 }, (_, i) => i)
    await executor.execute(sql('insert into files (id, content) values (?, ?)', 1n, content.subarray(1)))
    const { rows } = await executor.execute<{ content: unknown }>(sql('select content from files'))
    assert.ok(rows[0]?.content instanceof Uint8Array)
    assert.deepEqual(Uint8Array.from(rows[0].content), content.subarray(1))
  })

  test('floats are numbers', async (executor) => {
    await executor.execute(sql('create table floats (id bigint primary key, x double precision)'))
    const floats = [0.1, -2.5, 1e300, 5e-324, 3]
    for (const [i, x] of floats.entries()) {
      await executor.execute(sql('insert into floats (id, x) values (?, ?)', BigInt(i), x))
    }
    const rows = await rowsOf(executor, 'select x from floats order by id')
    assert.deepEqual(
      rows,
      floats.map((x) => ({ x })),
    )
  })

  test('an absent value is null, and null can be written', async (executor) => {
    await items(executor, 0)
    await executor.execute(sql('insert into items (id, n, name) values (?, ?, ?)', 1n, null, null))
    assert.deepEqual(await rowsOf(executor, 'select id, n, name from items'), [
      { id: 1n, n: null, name: null },
    ])
  })

  test('no rows are an empty list', async (executor) => {
    await items(executor, 0)
    assert.deepEqual(await rowsOf(executor, 'select id from items'), [])
    assert.deepEqual(await rowsOf(executor, 'select id from items where id = ?', 1n), [])
  })
}
