import { atMost } from '../at-most.ts'
import { QueryFailedError } from '../driver-errors.ts'
import { InvalidArgumentError, isShardError, type Outcome } from '../errors.ts'
import type { Result, Statement } from '../executor.ts'
import type { Session } from '../transaction-executor.ts'
import { cut, GRACE_MS } from './cancel.ts'
import type { Connections } from './connections.ts'
import type { MysqlConnection } from './driver.ts'
import { runQuery, streamQuery } from './query.ts'

/** How long the caller of a transaction that failed waits for the end of its rollback. */
const ROLLBACK_WAIT_MS = 1_000

/** Statements that do not end a transaction by themselves, as DDL and procedures may. */
const STAYS = /^\s*(select|with|insert|update|delete|replace|do|savepoint|release|rollback)\b/i

/** Statements that commit what came before them. */
const COMMITS =
  /^\s*(alter|create|drop|rename|truncate|grant|revoke|analyze|check|optimize|repair|flush|install|uninstall)\b/i

/** A connection of the pool while a transaction is open on it. */
export class MysqlSession implements Session {
  readonly #connection: MysqlConnection
  /** Why the transaction can only be rolled back: the engine has done so, or the connection is gone. */
  #doomed: unknown = null

  private constructor(connection: MysqlConnection) {
    this.#connection = connection
  }

  /** Takes a connection and begins; an abort while waiting gives the connection back. */
  static async begin(connections: Connections, signal?: AbortSignal): Promise<MysqlSession> {
    const session = new MysqlSession(await connections.take(signal))
    try {
      await session.#start('not-applied', signal)
      return session
    } catch (error) {
      await session.rollback()
      throw error
    }
  }

  checkNested({ sql }: Statement): void {
    if (COMMITS.test(sql)) {
      throw new InvalidArgumentError('on MySQL this statement commits: run it outside of nested transactions')
    }
  }

  async run<Row>(statement: Statement, signal?: AbortSignal): Promise<Result<Row>> {
    this.#checkAlive()
    try {
      // A transaction whose connection breaks before the commit was sent is never applied.
      const lost = STAYS.test(statement.sql) ? 'not-applied' : 'unknown'
      const result = await runQuery<Row>(this.#connection, lost, statement, signal)
      // DDL commits what came before it; what comes after belongs together again.
      if (result.committed) await this.#start('unknown')
      return result
    } catch (error) {
      throw this.#doom(error)
    }
  }

  async *stream<Row>(statement: Statement, signal?: AbortSignal): AsyncIterable<Row> {
    this.#checkAlive()
    try {
      yield* streamQuery<Row>(this.#connection, 'not-applied', statement, signal)
    } catch (error) {
      throw this.#doom(error)
    }
  }

  async commit(): Promise<void> {
    if (this.#doomed !== null) {
      await this.rollback()
      this.#checkAlive()
    }
    try {
      await runQuery(this.#connection, 'unknown', { sql: 'commit', parameters: [] })
      this.#connection.release()
    } catch (error) {
      this.#connection.destroy()
      throw error
    }
  }

  async rollback(): Promise<void> {
    const undone = this.#undo()
    if (await atMost(ROLLBACK_WAIT_MS, undone)) return
    void atMost(GRACE_MS, undone).then((isDone) => isDone || cut(this.#connection))
  }

  async #undo(): Promise<void> {
    try {
      await runQuery(this.#connection, 'not-applied', { sql: 'rollback', parameters: [] })
      this.#connection.release()
    } catch {
      // Its end undoes the transaction.
      this.#connection.destroy()
    }
  }

  #start(lost: Outcome, signal?: AbortSignal): Promise<unknown> {
    return runQuery(this.#connection, lost, { sql: 'start transaction', parameters: [] }, signal)
  }

  /** After a deadlock the engine has rolled back, and a further statement would be applied at once. */
  #doom(error: unknown): unknown {
    const fatal = ['DEADLOCK', 'SERIALIZATION_FAILURE', 'BUSY', 'CONNECTION_LOST']
    if (isShardError(error) && fatal.includes(error.code)) this.#doomed ??= error
    return error
  }

  #checkAlive(): void {
    if (this.#doomed === null) return
    throw isShardError(this.#doomed) ? this.#doomed : new QueryFailedError(this.#doomed)
  }
}
