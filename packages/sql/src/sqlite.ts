import { SqliteAdapter, SqliteQueryCompiler, sql } from 'kysely'
import type { SqlDialect } from './dialect.ts'

/** SQLite, 3.42 or newer. Its transactions begin immediate, which excludes other writers by itself. */
export const sqlite: SqlDialect = {
  name: 'sqlite',
  createAdapter: () => new SqliteAdapter(),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  nowMs: sql<bigint>`cast(unixepoch('subsec') * 1000 as integer)`,
  binaryText: 'text',
  lockForShare: sql``,
  lockFence: null,
  ddl: { lock: null, unlock: null, commit: null, isRepeated: () => false },
}
