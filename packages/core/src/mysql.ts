/**
 * MySQL 8 and MariaDB through mysql2. `signal` cancels on the server, by `KILL QUERY` on a connection of its
 * own. The pool must count matched rows (the driver's default) and may not read numbers its own way.
 */
import type { Executor } from './executor.ts'
import { Connections } from './mysql/connections.ts'
import type { MysqlPool } from './mysql/driver.ts'
import { MysqlExecutor } from './mysql/executor.ts'

export type { MysqlCallbackPool, MysqlPool } from './mysql/driver.ts'

/**
 * An executor over a pool of `mysql2` or `mysql2/promise`, which it owns from then on.
 *
 * Statements with parameters are prepared, up to 256 per connection. A stream holds a connection of the pool
 * until its loop ends. DDL commits an open transaction by itself, as the engine has it.
 * @throws InvalidArgumentError if the pool has FOUND_ROWS off, or decimalNumbers or a typeCast on
 */
export function mysqlExecutor(pool: MysqlPool): Executor {
  return new MysqlExecutor(new Connections(pool))
}
