import type { Executor } from '@shard/core'
import type { SchemaLadder } from '@shard/sql'
import type { Directory } from './directory.ts'
import { type SqlDirectoryOptions, sqlDirectory } from './sql.ts'

/** The directory's table, in the global database, as plain DDL. */
export const createTables: readonly string[] = [
  `create table shard_directory (
  namespace text collate "C" not null,
  natural_key text collate "C" not null,
  id bigint not null check (id > 0),
  state text not null check (state in ('pending', 'confirmed')),
  token text not null,
  version bigint not null,
  updated_at_ms bigint not null,
  primary key (namespace, natural_key)
)`,
  'create index shard_directory_by_id on shard_directory (namespace, id, natural_key)',
  'alter table shard_directory add column expires_at_ms bigint',
  'alter table shard_directory add column normaliser smallint not null default 1',
]

/** The ladder of the directory's table. */
export const schema: SchemaLadder = {
  name: 'directory',
  steps: [createTables.slice(0, 2), createTables.slice(2)],
}

/** What a shard keeps of the claims for its accounts, as plain DDL. */
export const createShardTables: readonly string[] = [
  `create table claim_fate (
  id bigint not null,
  token text collate "C" not null,
  fate text not null check (fate in ('used', 'revoked')),
  primary key (id, token)
)`,
]

/** The ladder of a shard's table. */
export const shardSchema: SchemaLadder = { name: 'directory_shard', steps: [createShardTables] }

/** A directory in the global database behind an executor, which stays the caller's to close. */
export function postgresDirectory(executor: Executor, options: SqlDirectoryOptions = {}): Directory {
  return sqlDirectory(executor, options)
}
