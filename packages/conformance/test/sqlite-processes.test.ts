import { expect, test } from 'vitest'
import { withChildren } from './children.ts'
import { sqliteFolder } from './sqlite-folder.ts'
import type { Writing, Written } from './sqlite-writer.ts'

const folder = sqliteFolder()

test('[D1] two processes, 500 transactions each that read and then write one file: all succeed', async () => {
  const file = folder.pathOf('shared')
  const executor = folder.connect('shared')
  await executor.execute({ sql: 'create table counter (n bigint not null)', parameters: [] })
  await executor.execute({ sql: 'insert into counter values (0)', parameters: [] })
  await executor.execute({ sql: 'create table entry (n bigint primary key, writer integer)', parameters: [] })

  const written = await withChildren('sqlite-writer.ts', 2, async (children) => {
    const answers = await Promise.all(
      children.map((child, writer) =>
        child.ask<Written>({ file, writer, transactions: 500 } satisfies Writing),
      ),
    )
    // [J1] Closed, a process ends by itself.
    expect(await Promise.all(children.map(({ ended }) => ended))).toEqual([0, 0])
    return answers
  })

  expect(written).toEqual([
    { committed: 500, errors: [] },
    { committed: 500, errors: [] },
  ])
  const { rows } = await executor.execute({
    sql: 'select (select n from counter) as n, count(*) as entries, max(n) as last from entry',
    parameters: [],
  })
  expect(rows).toEqual([{ n: 1000n, entries: 1000n, last: 1000n }])
})
