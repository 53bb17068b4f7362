import {
  type CallOptions,
  type DialectName,
  type Executor,
  type Result,
  ShardCodec,
  ShardedExecutor,
  type StatementSource,
  staticCatalog,
} from '@shard/core'
import { sqliteExecutor } from '@shard/core/sqlite'
import { claimFates, type Directory } from '@shard/directory'
import * as mysql from '@shard/directory/mysql'
import * as postgres from '@shard/directory/postgres'
import * as sqlite from '@shard/directory/sqlite'
import { applySchema, type SchemaLadder } from '@shard/sql'
import SqliteDriver from 'better-sqlite3'
import type { DirectoryHost } from '../src/directory.suite.ts'
import type { Database } from './databases.ts'
import { executorHost } from './executor-hosts.ts'
import type { HostOptions } from './registry-hosts.ts'

/** A directory's table, and directories on it. */
interface Adapter {
  readonly schema: SchemaLadder
  readonly createTables: readonly string[]
  readonly shardSchema: SchemaLadder
  readonly createShardTables: readonly string[]
  readonly open: typeof sqlite.sqliteDirectory
}

const adapters: Record<DialectName, Adapter> = {
  sqlite: { ...sqlite, open: sqlite.sqliteDirectory },
  postgres: { ...postgres, open: postgres.postgresDirectory },
  mysql: { ...mysql, open: mysql.mysqlDirectory },
}

/** The adapter for whatever engine an executor speaks to. */
export function directoryAdapterOf({ dialect }: Pick<Executor, 'dialect'>): Adapter {
  return adapters[dialect]
}

/** A directory on whatever engine an executor speaks to. */
export function directoryOn(
  executor: Executor,
  options?: Parameters<typeof sqlite.sqliteDirectory>[1],
): Directory {
  return directoryAdapterOf(executor).open(executor, options)
}

/** Directories on an empty database of an engine, whose tables are there before `inside` may begin anything. */
export async function directoryHost(
  engine: Database,
  { decorate, inside = async (host) => host }: HostOptions = {},
): Promise<DirectoryHost> {
  const outer = await executorHost(engine)
  const { schema, shardSchema } = directoryAdapterOf(outer.executor)
  for (const ladder of [schema, shardSchema]) await applySchema(outer.executor, ladder)
  const { executor: plain, close } = await inside(outer)
  const executor = decorate?.(plain) ?? plain
  // A plain executor has its accounts in its one database.
  const accountsHere = executor.family === null
  return {
    directory: (options) => directoryOn(executor, { ...options, accountsHere }),
    fates: claimFates(executor, { accountsHere }),
    withoutShards: (options) => directoryOn(plain, options),
    close,
  }
}

/** A sharded executor whose global database is the one given, with a shard for every id of the suite. */
export function fleet(global: Executor): Executor {
  const shard = sqliteExecutor(new SqliteDriver(':memory:'))
  for (const sql of sqlite.createShardTables) void shard.execute({ sql, parameters: [] })
  const shards = new Map([0, 1, 2].map((id) => [id, shard]))
  const catalog = staticCatalog({ global, shards })
  return new ShardedExecutor({ catalog, locator: ShardCodec.default, family: 'users' })
}

/** Runs a statement, or makes something go wrong around it. */
export type Fault = <T>(sql: string, run: () => Promise<T>) => Promise<T>

/** An executor whose statements go through a fault. */
export function faulty(executor: Executor, fault: Fault): Executor {
  return {
    dialect: executor.dialect,
    family: executor.family,
    execute<Row>(source: StatementSource, options?: CallOptions): Promise<Result<Row>> {
      const sql = typeof source === 'function' ? source(executor.dialect).sql : source.sql
      return fault(sql, () => executor.execute<Row>(source, options))
    },
    stream: (source, options) => executor.stream(source, options),
    transaction: (work, options) => executor.transaction(work, options),
    shardIds: () => executor.shardIds(),
    close: () => executor.close(),
    [Symbol.asyncDispose]: () => executor.close(),
  }
}
