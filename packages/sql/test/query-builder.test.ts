import type { Executor } from '@shard/core'
import { expect, expectTypeOf, test } from 'vitest'
import { mysql } from '../src/mysql.ts'
import { postgres } from '../src/postgres.ts'
import { queryBuilder, run } from '../src/query-builder.ts'
import { sqlite } from '../src/sqlite.ts'
import { fakeDatabase } from './fake-database.ts'

interface DB {
  t: { id: bigint; name: string | null }
}

test.each([
  [sqlite, 'select "id" from "t" where "name" = ?'],
  [postgres, 'select "id" from "t" where "name" = $1'],
  [mysql, 'select `id` from `t` where `name` = ?'],
])('compiles for $name; values are parameters, never text', (dialect, sql) => {
  const hostile = `'; drop table t; --"\``
  const query = queryBuilder<DB>(dialect).selectFrom('t').select('id').where('name', '=', hostile)
  expect(query.compile()).toMatchObject({ sql, parameters: [hostile] })
})

test('run gives the executor the compiled query and the options', async () => {
  const seen: unknown[] = []
  const executor = {
    ...fakeDatabase().executor,
    execute: async (...call: unknown[]) => {
      seen.push(...call)
      return { rows: [{ id: 1n }], affectedRows: 0n }
    },
  } as Executor
  const options = { route: { shard: 3 } }
  const { rows } = await run(executor, queryBuilder<DB>(sqlite).selectFrom('t').select('id'), options)
  expect(rows).toEqual([{ id: 1n }])
  expect(seen).toEqual([expect.objectContaining({ sql: 'select "id" from "t"' }), options])
  expectTypeOf(rows).toEqualTypeOf<readonly { id: bigint }[]>()
})

test('the builder itself runs nothing', async () => {
  const db = queryBuilder<DB>(sqlite)
  expect(await db.selectFrom('t').selectAll().execute()).toEqual([])
  expectTypeOf(db.selectFrom('t').selectAll().execute()).resolves.toEqualTypeOf<
    { id: bigint; name: string | null }[]
  >()
})
