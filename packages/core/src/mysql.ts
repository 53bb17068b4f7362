/**
 * MySQL 8 and MariaDB through mysql2. `signal` cancels on the server, by `KILL QUERY` on a connection of its
 * own. The pool must count matched rows (the driver's default) and may not read numbers its own way.
 */
import type { Executor } from './executor.ts'
import { Connections } from './mysql/connections.ts'
import type { MysqlPool } from './mysql/driver.ts'
import { MysqlExecutor } from './mysql/executor.ts'

export type { MysqlCallbackPool, MysqlPool } from './mysql/driver.ts'

/** How an executor over a pool behaves; every field has a default. */
export interface MysqlOptions {
  /** A call that gets no connection within this time is `BUSY` (30,000). */
  readonly waitTimeoutMs?: number
}

/**
 * An executor over a pool of `mysql2` or `mysql2/promise`, which it owns from then on, and sets to read 64-bit
 * integers in full.
 *
 * Statements with parameters are prepared, up to 256 per connection. A stream holds a connection of the pool
 * until its loop ends. DDL commits an open transaction by itself, as the engine has it.
 * @throws InvalidArgumentError if the pool has FOUND_ROWS off, or decimalNumbers or a typeCast on, or if
 * `waitTimeoutMs` is not a whole number from 1
 */
export function mysqlExecutor(pool: MysqlPool, options: MysqlOptions = {}): Executor {
  return new MysqlExecutor(new Connections(pool, options.waitTimeoutMs ?? 30_000))
}
