import type { Executor } from '@shard/core'
import { mysqlRegistry } from '@shard/registry/mysql'
import { sql } from 'kysely'
import { type ServerOptions, type ServerSpelling, serverDatabases } from './databases-sql.ts'
import { Placer } from './placer.ts'
import type { PlacerOptions } from './placer-options.ts'
import type { ShardDatabases } from './shard-databases.ts'

export type { ServerOptions } from './databases-sql.ts'

/** A placer over the registry of its family in a MySQL or MariaDB global database. */
export function mysqlPlacer(executor: Executor, options: Omit<PlacerOptions, 'registry'>): Placer {
  return new Placer({ ...options, registry: mysqlRegistry(executor, { family: options.settings.family }) })
}

const spelling: ServerSpelling = {
  create: (name) => sql`create database ${sql.id(name)} character set utf8mb4 collate utf8mb4_bin`,
  drop: (name) => sql`drop database if exists ${sql.id(name)}`,
  find: (name) => sql`select 1 as found from information_schema.schemata where schema_name = ${name}`,
  countTables: {
    sql: `select count(*) as tables from information_schema.tables where table_schema = database()
and table_name not in ('shard_schema', 'shard_meta')`,
    parameters: [],
  },
}

/** Shards as databases of one MySQL 8 or MariaDB server; they compare text by its bytes unless a table says otherwise. */
export function mysqlDatabases(options: ServerOptions): ShardDatabases {
  return serverDatabases(options, spelling)
}
