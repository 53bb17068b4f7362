import type { Executor, Route } from '@shard/core'
import { Kysely } from 'kysely'
import { checkExecutor } from './check-executor.ts'
import { executorDialect } from './executor-dialect.ts'
import { ExecutorRouting } from './executor-routing.ts'

/** Where the statements of a Kysely go. */
export interface KyselyOfOptions {
  /** One place for all of them: the global database unless said. */
  readonly route?: Route
}

/**
 * A full Kysely over an executor: transactions, savepoints and streams included. Every statement goes to one place;
 * for statements that find their shard themselves see `ShardDialect`. Destroying it closes the executor. The executor
 * gives no `insertId`: return the id with RETURNING, or mint it.
 */
export function kyselyOf<DB>(executor: Executor, { route }: KyselyOfOptions = {}): Kysely<DB> {
  const routing = new ExecutorRouting({ executor: checkExecutor(executor), router: null, route })
  return new Kysely<DB>({ dialect: executorDialect(routing) })
}
