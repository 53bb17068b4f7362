import { type Executor, ShardCodec, ShardedExecutor, staticCatalog } from '@shard/core'
import { sqliteExecutor } from '@shard/core/sqlite'
import { schema, shardSchema } from '@shard/directory/sqlite'
import { applySchema } from '@shard/sql'
import SqliteDriver from 'better-sqlite3'
import { type FaultPlan, scriptedFaults } from '../src/faults.ts'
import { faultyExecutor } from '../src/faulty-executor.ts'
import { skewed } from './skewed.ts'

/** How a process sees the databases of a fleet. */
export interface View {
  /** What goes wrong; asked for each statement, begin and commit of all databases in turn. */
  readonly plan?: FaultPlan
  /** How far the databases' clocks have gone on. */
  readonly aheadMs?: number
  /** Shards that are down. */
  readonly down?: readonly number[]
}

/** A global database and two shards of accounts in memory; each executor is that of another process. */
export async function memoryFleet(): Promise<(view?: View) => Executor> {
  const [global, ...shards] = [1, 2, 3].map(() => sqliteExecutor(new SqliteDriver(':memory:')))
  if (!global) throw new Error('no database')
  await applySchema(global, schema)
  for (const shard of shards) {
    await applySchema(shard, shardSchema)
    const sql = 'create table accounts (id bigint not null primary key, email text not null)'
    await shard.execute({ sql, parameters: [] })
  }
  return ({ plan = scriptedFaults(), aheadMs = 0, down = [] } = {}) => {
    const seen = (executor: Executor, number: number): Executor =>
      skewed(faultyExecutor(executor, down.includes(number) ? () => 'kill' : plan), () => aheadMs)
    const catalog = staticCatalog({
      global: seen(global, 0),
      shards: new Map(shards.map((shard, i) => [i + 1, seen(shard, i + 1)])),
    })
    return new ShardedExecutor({ catalog, locator: ShardCodec.default, family: 'users' })
  }
}
