import { atMost } from '../at-most.ts'
import { QueryFailedError } from '../driver-errors.ts'
import { isShardError } from '../errors.ts'
import type { Result, Statement } from '../executor.ts'
import type { Session } from '../transaction-executor.ts'
import type { PostgresRows } from './client.ts'
import type { Connection } from './connection.ts'
import type { Connections } from './connections.ts'
import type { PreparePolicy } from './prepare-policy.ts'
import { GRACE_MS, type Lane, rowsOf, runQuery, streamQuery } from './query.ts'

/** A connection while a transaction is open on it. */
export class PostgresSession implements Session {
  readonly #connections: Connections
  readonly #connection: Connection
  readonly #policy: PreparePolicy
  /** Why the whole transaction may be run again, if a statement failed for such a reason. */
  #retryable: unknown = null

  private constructor(connections: Connections, connection: Connection, policy: PreparePolicy) {
    this.#connections = connections
    this.#connection = connection
    this.#policy = policy
  }

  /** Takes a connection and begins. */
  static async begin(
    connections: Connections,
    policy: PreparePolicy,
    signal?: AbortSignal,
  ): Promise<PostgresSession> {
    const session = new PostgresSession(connections, await connections.take(signal), policy)
    try {
      await session.#control('begin', 'not-applied', signal)
      return session
    } catch (error) {
      await session.rollback()
      throw error
    }
  }

  async run<Row>(statement: Statement, signal?: AbortSignal): Promise<Result<Row>> {
    try {
      return await runQuery<Row>(this.#lane(statement), statement, signal)
    } catch (error) {
      throw this.#noted(error)
    }
  }

  async *stream<Row>(statement: Statement, signal?: AbortSignal): AsyncIterable<Row> {
    try {
      yield* streamQuery<Row>(this.#lane(statement), statement, signal)
    } catch (error) {
      throw this.#noted(error)
    }
  }

  async commit(): Promise<void> {
    try {
      const { command } = await this.#control('commit', 'unknown')
      // The server answers the commit of a failed transaction with a rollback, and no error.
      if (command === 'COMMIT') return
      throw (
        this.#retryable ?? new QueryFailedError(new Error('a statement failed: the transaction is undone'))
      )
    } finally {
      this.#connections.give(this.#connection)
    }
  }

  async rollback(): Promise<void> {
    // Behind a statement that was let go, or on a server that stands still, the caller need not wait.
    const limitMs = this.#connection.occupied ? 0 : GRACE_MS
    await atMost(limitMs, this.#undo())
  }

  #noted(error: unknown): unknown {
    if (isShardError(error) && error.retryable) this.#retryable = error
    return error
  }

  async #undo(): Promise<void> {
    try {
      await this.#control('rollback', 'not-applied')
    } catch (error) {
      // Its end undoes the transaction.
      this.#connection.end(error)
    }
    this.#connections.give(this.#connection)
  }

  #control(sql: string, lost: Lane['lost'], signal?: AbortSignal): Promise<PostgresRows> {
    return rowsOf({ connection: this.#connection, prepare: false, lost }, { sql, parameters: [] }, signal)
  }

  /** A transaction whose connection breaks before the commit was sent is never applied. */
  #lane({ sql }: Statement): Lane {
    return { connection: this.#connection, prepare: this.#policy.admits(sql), lost: 'not-applied' }
  }
}
