import { MysqlAdapter, MysqlQueryCompiler, sql } from 'kysely'
import type { SqlDialect } from './dialect.ts'

/** MySQL 8 and MariaDB. A named lock belongs to the connection, and DDL commits by itself. */
export const mysql: SqlDialect = {
  name: 'mysql',
  createAdapter: () => new MysqlAdapter(),
  createQueryCompiler: () => new MysqlQueryCompiler(),
  nowMs: sql<bigint>`cast(floor(unix_timestamp(now(3)) * 1000) as signed)`,
  lockSchema: "select get_lock(concat('shard_schema.', database()), 60) as locked",
  unlockSchema: "select release_lock(concat('shard_schema.', database())) as freed",
  binaryText: 'varbinary(255)',
}
