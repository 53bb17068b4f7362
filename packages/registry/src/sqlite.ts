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
  size_bytes bigint not null check (typeof(size_bytes) = 'integer' and size_bytes >= 0),
  file_bytes bigint check (typeof(file_bytes) in ('integer', 'null') and file_bytes >= 0),
  max_bytes bigint check (typeof(max_bytes) in ('integer', 'null') and max_bytes > 0),
  admit_threshold real not null check (admit_threshold > 0 and admit_threshold <= 1),
  hard_threshold real not null check (hard_threshold > 0 and hard_threshold <= 1),
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
  'alter table shards add column reserved_ever bigint not null default 0 check (reserved_ever >= 0)',
  `alter table shards add column reserved_keys bigint not null default 0
    check (typeof(reserved_keys) = 'integer' and reserved_keys between 0 and reserved_ever)`,
]

/** The ladder of the registry's tables. */
export const schema: SchemaLadder = {
  name: 'registry',
  steps: [createTables.slice(0, 2), createTables.slice(2, 3), createTables.slice(3)],
}

/** Pages in use, and all pages, what still stands in the write-ahead log included. https://www.sqlite.org/pragma.html#pragfunc */
export const measureSize: Statement = {
  sql: `select (page_count - freelist_count) * page_size as size_bytes, page_count * page_size as file_bytes
from pragma_page_count(), pragma_freelist_count(), pragma_page_size()`,
  parameters: [],
}

/** The registry of a family in a SQLite global database, whose tables `ensureControlTables` makes. */
export function sqliteRegistry(executor: Executor, options: RegistryOptions): ShardRegistry {
  return sqlRegistry(executor, options, (insert) =>
    insert.onConflict((family) =>
      family.column('family').doUpdateSet({ version: sql`shard_families.version + 1` }),
    ),
  )
}
