import type { Executor } from '@shard/core'
import type { SchemaLadder } from '@shard/sql'
import { sql } from 'kysely'
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
]

/** The same as a ladder, for `applySchema`. */
export const schema: SchemaLadder = { name: 'directory', steps: [createTables] }

/** A directory in the global database behind an executor, which stays the caller's to close. */
export function postgresDirectory(executor: Executor, options: SqlDirectoryOptions = {}): Directory {
  return sqlDirectory(executor, options, {
    ifAbsent: (insert) => insert.onConflict((key) => key.columns(['namespace', 'natural_key']).doNothing()),
    // A statement sees what was committed before it began; under a stricter isolation the insert is refused.
    current: sql``,
  })
}
