import type { Executor } from '@shard/core'
import type { SchemaLadder } from '@shard/sql'
import type { ScratchCounter } from './counter.ts'
import { sqlCounter } from './sql.ts'

/** The table of counters, in the global database, as plain DDL: SQLite compares text by its bytes. */
export const createTables: readonly string[] = [
  `create table shard_counters (
  name text not null,
  value bigint not null check (value >= 0),
  token text not null,
  generation text not null,
  home text,
  primary key (name)
) without rowid`,
]

/** The ladder of the table of counters. */
export const schema: SchemaLadder = { name: 'counters', steps: [createTables] }

/** A counter by its name, in the global database behind an executor, which stays the caller's to close. */
export function sqliteCounter(executor: Executor, name: string): ScratchCounter {
  return sqlCounter(executor, name)
}
