import type { Executor } from '@shard/core'
import type { SchemaLadder } from '@shard/sql'
import { sql } from 'kysely'
import type { Directory } from './directory.ts'
import { type SqlDirectoryOptions, sqlDirectory } from './sql.ts'

/** The directory's table, in the global database, as plain DDL: binary columns compare by their bytes, in every length. */
export const createTables: readonly string[] = [
  `create table shard_directory (
  namespace varbinary(189) not null,
  natural_key varbinary(512) not null,
  id bigint not null check (id > 0),
  state varchar(16) not null check (state in ('pending', 'confirmed')),
  token varbinary(192) not null,
  version bigint not null,
  updated_at_ms bigint not null,
  primary key (namespace, natural_key)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin`,
  'create index shard_directory_by_id on shard_directory (namespace, id, natural_key)',
]

/** The same as a ladder, for `applySchema`. */
export const schema: SchemaLadder = { name: 'directory', steps: [createTables] }

/** A directory in the global database behind an executor, which stays the caller's to close. */
export function mysqlDirectory(executor: Executor, options: SqlDirectoryOptions = {}): Directory {
  return sqlDirectory(executor, options, {
    // `insert ignore` would also ignore what does not fit, and cut it.
    ifAbsent: (insert) => insert.onDuplicateKeyUpdate({ natural_key: sql`natural_key` }),
    current: sql`lock in share mode`,
  })
}
