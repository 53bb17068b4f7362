import type { Executor } from '@shard/core'
import { postgresRegistry } from '@shard/registry/postgres'
import { sql } from 'kysely'
import { type ServerOptions, type ServerSpelling, serverDatabases } from './databases-sql.ts'
import { Placer } from './placer.ts'
import type { PlacerOptions } from './placer-options.ts'
import type { ShardDatabases } from './shard-databases.ts'

export type { ServerOptions } from './databases-sql.ts'

/** A placer over the registry of its family in a PostgreSQL global database. */
export function postgresPlacer(executor: Executor, options: Omit<PlacerOptions, 'registry'>): Placer {
  return new Placer({ ...options, registry: postgresRegistry(executor, { family: options.settings.family }) })
}

/** From `template0`, so that nothing is in a new database, whatever the server's `template1` holds. */
const spelling: ServerSpelling = {
  create: (name) => sql`create database ${sql.id(name)} encoding 'UTF8' template template0`,
  drop: (name) => sql`drop database if exists ${sql.id(name)} with (force)`,
  find: (name) => sql`select 1 as found from pg_database where datname = ${name}`,
  countTables: {
    sql: `select count(*) as tables from pg_class join pg_namespace on pg_namespace.oid = relnamespace
where relkind in ('r', 'p', 'f', 'v', 'm', 'S') and nspname !~ '^pg_' and nspname <> 'information_schema'
and relname not in ('shard_schema', 'shard_meta')`,
    parameters: [],
  },
}

/** Shards as databases of one PostgreSQL server, 13 or newer. `admin` may not be inside a transaction. */
export function postgresDatabases(options: ServerOptions): ShardDatabases {
  return serverDatabases(options, spelling)
}
