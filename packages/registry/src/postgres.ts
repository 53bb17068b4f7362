import type { Executor, Statement } from '@shard/core'
import type { SchemaLadder } from '@shard/sql'
import { sql } from 'kysely'
import type { ShardRegistry } from './registry.ts'
import { type RegistryOptions, sqlRegistry } from './sql.ts'

/** The registry's tables. */
export const createTables: readonly string[] = [
  `create table shards (
  family text not null,
  id integer not null check (id between 0 and 16777215),
  name text not null,
  database_id text,
  region text,
  status text not null
    check (status in ('provisioning', 'standby', 'active', 'sealed', 'disabled', 'retired')),
  size_bytes bigint not null check (size_bytes >= 0),
  file_bytes bigint check (file_bytes >= 0),
  max_bytes bigint check (max_bytes > 0),
  admit_threshold double precision not null check (admit_threshold > 0 and admit_threshold <= 1),
  hard_threshold double precision not null check (hard_threshold > 0 and hard_threshold <= 1),
  schema_version bigint not null check (schema_version >= 0),
  successor_id integer,
  created_at_ms bigint not null,
  sealed_at_ms bigint,
  last_size_check_at_ms bigint,
  size_error text,
  version bigint not null check (version > 0),
  primary key (family, id)
)`,
  `create table shard_history (
  family text not null,
  shard_id integer not null,
  version bigint not null,
  from_status text,
  to_status text not null,
  changed_by text,
  reason text,
  at_ms bigint not null,
  primary key (family, shard_id, version)
)`,
  `create table shard_families (
  family text not null primary key,
  version bigint not null check (version > 0)
)`,
  `alter table shards
  add column reserved_ever bigint not null default 0,
  add column reserved_keys bigint not null default 0,
  add constraint shards_reserved_check check (reserved_keys between 0 and reserved_ever)`,
]

/** The ladder of the registry's tables. */
export const schema: SchemaLadder = {
  name: 'registry',
  steps: [createTables.slice(0, 3), createTables.slice(3)],
}

/**
 * The database's files, at this moment. What free space is inside them the engine does not say.
 * https://www.postgresql.org/docs/current/functions-admin.html#FUNCTIONS-ADMIN-DBSIZE
 */
export const measureSize: Statement = {
  sql: 'select size_bytes, size_bytes as file_bytes from pg_database_size(current_database()) as size_bytes',
  parameters: [],
}

/** The registry of a family in a PostgreSQL global database, whose tables `ensureControlTables` makes. */
export function postgresRegistry(executor: Executor, options: RegistryOptions): ShardRegistry {
  return sqlRegistry(executor, options, (insert) =>
    insert.onConflict((family) =>
      family.column('family').doUpdateSet({ version: sql`shard_families.version + 1` }),
    ),
  )
}
