import { isShardError } from '@shard/core'
import { MysqlAdapter, MysqlQueryCompiler, sql } from 'kysely'
import type { SqlDialect } from './dialect.ts'

/** Table exists, duplicate column, duplicate index: https://dev.mysql.com/doc/mysql-errors/8.0/en/server-error-reference.html */
const REPEATED: ReadonlySet<unknown> = new Set([1050, 1060, 1061])

/**
 * MySQL 8 and MariaDB. A named lock (64 characters at most) belongs to the connection, and DDL commits by itself.
 * `now()` is not used: in the hour that a time zone repeats, it cannot be turned back into an instant.
 */
export const mysql: SqlDialect = {
  name: 'mysql',
  createAdapter: () => new MysqlAdapter(),
  createQueryCompiler: () => new MysqlQueryCompiler(),
  nowMs: sql<bigint>`cast(timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000 as signed)`,
  binaryText: 'varbinary(255)',
  lockForShare: sql`lock in share mode`,
  lockFence: null,
  ddl: {
    lock: "select get_lock(concat('shard_schema.', sha1(database())), 60) as locked",
    unlock: "select release_lock(concat('shard_schema.', sha1(database()))) as freed",
    commit: 'create table if not exists shard_schema (name varbinary(255))',
    isRepeated: (error) =>
      isShardError(error) && REPEATED.has((error.cause as { errno?: unknown } | undefined)?.errno),
  },
}
