import { PostgresAdapter, PostgresQueryCompiler, sql } from 'kysely'
import type { SqlDialect } from './dialect.ts'

/**
 * PostgreSQL. The key of the advisory lock is 'shard' in ASCII. Its share locks on a row overtake whoever waits
 * to change the row; a lock on the table is first come, first served, and leaves plain reads alone.
 * https://www.postgresql.org/docs/current/explicit-locking.html
 */
export const postgres: SqlDialect = {
  name: 'postgres',
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  nowMs: sql<bigint>`cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)`,
  binaryText: 'text collate "C"',
  lockForShare: sql`for share`,
  lockFence: 'lock table shard_meta in exclusive mode',
  ddl: {
    lock: 'select 1 as locked from (select pg_advisory_xact_lock(495656497764)) as taken',
    unlock: null,
    commit: null,
    isRepeated: () => false,
  },
}
