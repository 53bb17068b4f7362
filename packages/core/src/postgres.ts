/**
 * PostgreSQL through postgres.js. `signal` cancels on the server, by a second connection. Behind PgBouncer in
 * transaction mode give the driver `prepare: false`; every statement then costs two round trips.
 */
import type { Executor } from './executor.ts'
import type { PostgresClient } from './postgres/client.ts'
import { Connections } from './postgres/connections.ts'
import { PostgresExecutor } from './postgres/executor.ts'

export type { PostgresClient, PostgresQuery } from './postgres/client.ts'

/** How an executor over a client behaves; every field has a default. */
export interface PostgresOptions {
  /** A call that gets no connection within this time is `BUSY` (30,000). */
  readonly waitTimeoutMs?: number
}

/**
 * An executor over a postgres.js client (`postgres(url, options)`), which it owns from then on.
 *
 * Its connections, `max` of them, are given out first come, first served; each runs one call at a time.
 * Statements that come twice are prepared, up to 512. A stream holds a connection until its loop ends. A
 * transaction in which a statement failed cannot be committed, as the engine has it. Arrays of the server's own
 * types are read; those of an app's types stay text, since the driver's `fetch_types` is switched off.
 * @throws InvalidArgumentError if `waitTimeoutMs` is not a whole number from 1
 */
export function postgresExecutor(client: PostgresClient, options: PostgresOptions = {}): Executor {
  return new PostgresExecutor(new Connections(client, options.waitTimeoutMs ?? 30_000))
}
