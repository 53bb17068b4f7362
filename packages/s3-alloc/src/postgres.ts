import type { Executor } from '@shard/core'
import type { SchemaLadder } from '@shard/sql'
import type { ScratchCounter } from './counter.ts'
import { sqlCounter } from './sql.ts'

/** The table of counters, in the global database, as plain DDL: names compare by their bytes, whatever the database's collation. */
export const createTables: readonly string[] = [
  `create table shard_counters (
  name text collate "C" not null,
  value bigint not null check (value >= 0),
  token text collate "C" not null,
  generation text collate "C" not null,
  home text collate "C",
  primary key (name)
)`,
]

/** The ladder of the table of counters. */
export const schema: SchemaLadder = { name: 'counters', steps: [createTables] }

/** A counter by its name, in the global database behind an executor, which stays the caller's to close. */
export function postgresCounter(executor: Executor, name: string): ScratchCounter {
  return sqlCounter(executor, name)
}
