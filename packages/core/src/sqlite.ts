/**
 * SQLite through better-sqlite3: WAL mode, full synchronous writes, transactions that begin immediate
 * and queue. The driver is synchronous: a statement blocks the event loop while it runs, so `signal`
 * is checked before statements and between the pages of a stream, and cannot interrupt one.
 */
import type { Executor } from './executor.ts'
import { Connection, type SqliteOptions } from './sqlite/connection.ts'
import type { SqliteDatabase } from './sqlite/database.ts'
import { SqliteExecutor } from './sqlite/executor.ts'

export type { SqliteOptions } from './sqlite/connection.ts'
export type { SqliteDatabase, SqliteStatement } from './sqlite/database.ts'

/**
 * An executor over an open better-sqlite3 database, which it owns from then on.
 *
 * Callers in one process share the connection: statements wait for an open transaction to end.
 * Other processes are waited for up to `busyTimeoutMs`, then `BUSY` (retryable).
 */
export function sqliteExecutor(database: SqliteDatabase, options: SqliteOptions = {}): Executor {
  return new SqliteExecutor(new Connection(database, options))
}
