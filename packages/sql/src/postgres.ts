import { PostgresAdapter, PostgresQueryCompiler, sql } from 'kysely'
import type { SqlDialect } from './dialect.ts'

/** PostgreSQL. The key of the advisory lock is 'shard' in ASCII. */
export const postgres: SqlDialect = {
  name: 'postgres',
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  nowMs: sql<bigint>`cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)`,
  lockSchema: 'select 1 as locked from (select pg_advisory_xact_lock(495656497764)) as taken',
  unlockSchema: null,
  binaryText: 'text collate "C"',
}
