import type { DialectName, Executor } from '@shard/core'
import { ensureControlTables, type ShardRegistry } from '@shard/registry'
import * as mysql from '@shard/registry/mysql'
import * as postgres from '@shard/registry/postgres'
import * as sqlite from '@shard/registry/sqlite'
import type { SchemaLadder } from '@shard/sql'
import type { ExecutorHost } from '../src/executor.suite.ts'
import type { RegistryHost } from '../src/registry.suite.ts'
import type { Database } from './databases.ts'
import { executorHost } from './executor-hosts.ts'

/** A registry's tables. */
interface Tables {
  readonly schema: SchemaLadder
  readonly createTables: readonly string[]
}

const registries: Record<DialectName, Tables & { readonly open: typeof sqlite.sqliteRegistry }> = {
  sqlite: { ...sqlite, open: sqlite.sqliteRegistry },
  postgres: { ...postgres, open: postgres.postgresRegistry },
  mysql: { ...mysql, open: mysql.mysqlRegistry },
}

/** The registry of a family on whatever engine an executor speaks to. */
export function registryOn(executor: Executor, family = 'users'): ShardRegistry {
  return registries[executor.dialect].open(executor, { family })
}

/** The tables of a registry on an engine. */
export function registryTablesOf({ dialect }: Pick<Executor, 'dialect'>): Tables {
  return registries[dialect]
}

/** What is put around the executor, and what is done with it. */
export interface HostOptions {
  readonly decorate?: (executor: Executor) => Executor
  readonly inside?: (host: ExecutorHost) => Promise<ExecutorHost>
}

/** Registries on an empty database of an engine, whose tables are there before `inside` may begin anything. */
export async function registryHost(
  engine: Database,
  { decorate, inside = async (host) => host }: HostOptions = {},
): Promise<RegistryHost> {
  const outer = await executorHost(engine, decorate)
  await ensureControlTables(outer.executor)
  const { executor, close } = await inside(outer)
  return { registry: (family) => registryOn(executor, family), close }
}
