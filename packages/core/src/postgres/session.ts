import { AbortedError, ConnectionLostError, QueryFailedError } from '../driver-errors.ts'
import type { Result, Statement } from '../executor.ts'
import type { Session } from '../transaction-executor.ts'
import type { ConnectionInside, PostgresClient, PostgresConnection } from './client.ts'
import { translate } from './errors.ts'
import type { PreparePolicy } from './prepare-policy.ts'
import { type Lane, runQuery, streamQuery } from './query.ts'

/** A connection of the pool while a transaction is open on it. */
export class PostgresSession implements Session {
  readonly #connection: PostgresConnection
  readonly #policy: PreparePolicy
  /** Set the moment the socket closes: the driver would send the next statement on a new connection. */
  #lost: unknown = null

  private constructor(connection: PostgresConnection, policy: PreparePolicy) {
    this.#connection = connection
    this.#policy = policy
  }

  /** Takes a connection and begins; an abort while waiting gives the connection back. */
  static async begin(
    client: PostgresClient,
    policy: PreparePolicy,
    signal?: AbortSignal,
  ): Promise<PostgresSession> {
    const session = new PostgresSession(await reserve(client, signal), policy)
    const onexecute = (connection: ConnectionInside): true => {
      connection.onclose = (error) => {
        session.#lost = error
      }
      return true
    }
    try {
      await session.#connection.unsafe('begin', [], { onexecute })
      return session
    } catch (error) {
      await session.rollback()
      throw translate(error, 'not-applied')
    }
  }

  async run<Row>(statement: Statement, signal?: AbortSignal): Promise<Result<Row>> {
    return runQuery<Row>(this.#lane(statement), statement, signal)
  }

  async *stream<Row>(statement: Statement, signal?: AbortSignal): AsyncIterable<Row> {
    yield* streamQuery<Row>(this.#lane(statement), statement, signal)
  }

  async commit(): Promise<void> {
    this.#checkAlive()
    try {
      const { command } = await this.#connection.unsafe('commit')
      // The server answers the commit of a failed transaction with a rollback, and no error.
      if (command !== 'COMMIT')
        throw new QueryFailedError(new Error('a statement failed: the transaction is undone'))
    } catch (error) {
      throw translate(error, 'unknown')
    } finally {
      this.#free()
    }
  }

  async rollback(): Promise<void> {
    try {
      if (this.#lost === null) await this.#connection.unsafe('rollback')
    } catch {
      // A connection that cannot roll back is broken, and its end undoes the transaction.
    } finally {
      this.#free()
    }
  }

  /** A transaction whose connection breaks before the commit was sent is never applied. */
  #lane(statement: Statement): Lane {
    this.#checkAlive()
    return { queries: this.#connection, prepare: this.#policy.admits(statement.sql), lost: 'not-applied' }
  }

  #checkAlive(): void {
    if (this.#lost !== null) throw new ConnectionLostError(this.#lost, 'not-applied')
  }

  /** A closed connection is the pool's again already. */
  #free(): void {
    if (this.#lost === null) this.#connection.release()
  }
}

function reserve(client: PostgresClient, signal: AbortSignal | undefined): Promise<PostgresConnection> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new AbortedError(signal?.reason))
    signal?.addEventListener('abort', abort, { once: true })
    client.reserve().then(
      (connection) => {
        signal?.removeEventListener('abort', abort)
        if (signal?.aborted) connection.release()
        resolve(connection)
      },
      (error) => {
        signal?.removeEventListener('abort', abort)
        reject(translate(error, 'not-applied'))
      },
    )
  })
}
