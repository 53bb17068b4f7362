import { type Executor, fanOut, type OrderBy, type StatementSource, streamFanOut } from '@shard/core'
import { expect } from 'vitest'
import { sql } from '../src/executor/check.ts'
import type { Database } from './databases.ts'
import { type Fleet, openFleet } from './fleets.ts'

/** Runs `body` on `shards` fresh databases of an engine. */
export async function onFleet(
  engine: Database,
  shards: number,
  body: (executor: Executor) => Promise<void>,
): Promise<void> {
  const fleet: Fleet = await openFleet(Array.from({ length: shards }, () => engine))
  try {
    await body(fleet.executor)
  } finally {
    await fleet.close()
  }
}

/** Runs statements on one shard, or on all. */
export async function run(executor: Executor, shard: number | 'all', ...statements: string[]): Promise<void> {
  for (const at of shard === 'all' ? executor.shardIds() : [shard]) {
    for (const statement of statements) await executor.execute(sql(statement), { route: { shard: at } })
  }
}

type Row = { readonly id: bigint }

/** The ids as a whole list, by pages of one row and of two, and by streams of pages of one row and of two. */
export async function readEveryWay(
  executor: Executor,
  statement: StatementSource,
  orderBy: readonly OrderBy[],
): Promise<bigint[]> {
  const { rows } = await fanOut<Row>(executor, statement, { orderBy })
  const ids = rows.map(({ id }) => id)
  for (const size of [1, 2]) {
    expect(await byPages(executor, statement, orderBy, size, ids.length + 1)).toEqual(ids)
    expect(await byStream(executor, statement, orderBy, size, ids.length + 1)).toEqual(ids)
  }
  return ids
}

async function byPages(
  executor: Executor,
  statement: StatementSource,
  orderBy: readonly OrderBy[],
  limit: number,
  most: number,
): Promise<bigint[]> {
  const ids: bigint[] = []
  let after: string | null = null
  do {
    const page: { rows: readonly Row[]; cursor: string | null } = await fanOut<Row>(executor, statement, {
      orderBy,
      limit,
      after,
    })
    ids.push(...page.rows.map(({ id }) => id))
    after = page.cursor
  } while (after !== null && ids.length <= most)
  return ids
}

async function byStream(
  executor: Executor,
  statement: StatementSource,
  orderBy: readonly OrderBy[],
  pageRows: number,
  most: number,
): Promise<bigint[]> {
  const ids: bigint[] = []
  for await (const { id } of streamFanOut<Row>(executor, statement, { orderBy, pageRows })) {
    ids.push(id)
    if (ids.length > most) break
  }
  return ids
}

/** By a column, up and down, nulls where they are by default, then by id. */
export const bothWays = (column: string): readonly (readonly OrderBy[])[] =>
  (['asc', 'desc'] as const).map((direction) => [{ column, direction }, { column: 'id' }])
