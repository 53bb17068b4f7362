import type { CallOptions, DialectName, Executor, Result, StatementSource } from '@shard/core'
import type { Directory } from '@shard/directory'
import * as mysql from '@shard/directory/mysql'
import * as postgres from '@shard/directory/postgres'
import * as sqlite from '@shard/directory/sqlite'
import { applySchema, type SchemaLadder } from '@shard/sql'
import type { DirectoryHost } from '../src/directory.suite.ts'
import type { Database } from './databases.ts'
import { executorHost } from './executor-hosts.ts'
import type { HostOptions } from './registry-hosts.ts'

/** A directory's table, and directories on it. */
interface Adapter {
  readonly schema: SchemaLadder
  readonly createTables: readonly string[]
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

/** Directories on an empty database of an engine, whose table is there before `inside` may begin anything. */
export async function directoryHost(
  engine: Database,
  { decorate, inside = async (host) => host }: HostOptions = {},
): Promise<DirectoryHost> {
  const outer = await executorHost(engine, decorate)
  await applySchema(outer.executor, directoryAdapterOf(outer.executor).schema)
  const { executor, close } = await inside(outer)
  return { directory: (options) => directoryOn(executor, options), close }
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
