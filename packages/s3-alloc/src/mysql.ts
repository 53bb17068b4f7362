import type { Executor } from '@shard/core'
import type { SchemaLadder } from '@shard/sql'
import type { ScratchCounter } from './counter.ts'
import { sqlCounter } from './sql.ts'

/** The table of counters, in the global database, as plain DDL: binary columns compare by their bytes. */
export const createTables: readonly string[] = [
  `create table shard_counters (
  name varbinary(680) not null,
  value bigint not null check (value >= 0),
  token varbinary(200) not null,
  generation varbinary(800) not null,
  home varbinary(4000),
  primary key (name)
) engine = InnoDB default character set utf8mb4 collate utf8mb4_bin`,
]

/** The ladder of the table of counters. */
export const schema: SchemaLadder = { name: 'counters', steps: [createTables] }

/** A counter by its name, in the global database behind an executor, which stays the caller's to close. */
export function mysqlCounter(executor: Executor, name: string): ScratchCounter {
  return sqlCounter(executor, name)
}
