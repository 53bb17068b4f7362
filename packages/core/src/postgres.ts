/**
 * PostgreSQL through postgres.js. `signal` cancels on the server, by a second connection. Behind PgBouncer in
 * transaction mode give the driver `prepare: false`; every statement then costs two round trips.
 */
import type { Executor } from './executor.ts'
import type { PostgresClient } from './postgres/client.ts'
import { PostgresExecutor } from './postgres/executor.ts'

export type { PostgresClient, PostgresConnection, PostgresQueries, PostgresQuery } from './postgres/client.ts'

/**
 * An executor over a postgres.js client (`postgres(url, options)`), which it owns from then on.
 *
 * Statements that come twice are prepared, up to 512. A stream holds a connection of the pool until its loop
 * ends. A transaction in which a statement failed cannot be committed, as the engine has it.
 */
export function postgresExecutor(client: PostgresClient): Executor {
  return new PostgresExecutor(client)
}
