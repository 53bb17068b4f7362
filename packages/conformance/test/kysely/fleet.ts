import { type Executor, ShardedExecutor, staticCatalog } from '@shard/core'
import { kyselyOf, ShardDialect } from '@shard/kysely'
import { Kysely } from 'kysely'
import type { Database } from '../databases.ts'
import { type FreshDatabase, freshDatabase, openDatabase } from '../fresh-database.ts'
import type { AnyDb } from './grammar.ts'
import { allTables, fill, type Row, rules, SHARDS, shardOf, someRows, type Table } from './tables.ts'

/** The same rows in one database and on four shards. */
export interface KyselyFleet {
  readonly merged: Executor
  readonly shards: readonly Executor[]
  readonly global: Executor
  readonly one: AnyDb
  readonly many: AnyDb
  close(): Promise<void>
}

/** Opens databases of its own; they are empty. */
export async function openKyselyFleet(engine: Database): Promise<KyselyFleet> {
  const fresh: FreshDatabase[] = []
  const open = async (): Promise<Executor> => {
    if (engine.dialect === 'sqlite') return openDatabase(':memory:')
    const database = await freshDatabase(engine)
    fresh.push(database)
    return openDatabase(database.url, 1)
  }
  const [merged, global, ...shards] = (await Promise.all(Array.from({ length: SHARDS + 2 }, open))) as [
    Executor,
    Executor,
    ...Executor[],
  ]
  const catalog = staticCatalog({ global, shards: new Map(shards.entries()) })
  const executor = new ShardedExecutor({ catalog, locator: { locate: shardOf }, family: 'users' })
  const many = new Kysely({ dialect: new ShardDialect({ executor, tables: rules }) })
  const close = async (): Promise<void> => {
    await Promise.all([executor.close(), merged.close()])
    await Promise.all(fresh.map((database) => database.drop()))
  }
  return { merged, shards, global, one: kyselyOf(merged), many, close }
}

/** Makes all tables anew, with the rows of a seed. */
export async function refill({ merged, shards, global }: KyselyFleet, seed: number): Promise<void> {
  for (const [i, table] of allTables.entries()) {
    const rows = someRows(table, seed * 31 + i)
    await fill(merged, table, rows)
    if (table.kind !== 'sharded') await fill(global, table, rows)
    for (const [shard, executor] of shards.entries()) {
      const own = rows.filter((row) => table.kind !== 'sharded' || placeOf(table, row) === shard)
      if (table.kind !== 'global') await fill(executor, table, own)
    }
  }
}

function placeOf(table: Table, row: Row): number {
  const key = table.columns.find(({ isKey }) => isKey)?.name ?? ''
  return shardOf(row[key] as bigint)
}
