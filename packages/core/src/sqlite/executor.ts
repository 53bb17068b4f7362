import { checkSignal } from '../argument.ts'
import { ClosedError, QueryFailedError } from '../driver-errors.ts'
import { InvalidArgumentError, isShardError } from '../errors.ts'
import type { CallOptions, Executor, Result, Statement, StatementSource } from '../executor.ts'
import { refuseInside } from '../scope.ts'
import { callersStatement } from '../statement.ts'
import { type Session, transact } from '../transaction-executor.ts'
import { Turnstile } from '../turnstile.ts'
import { retryBusy } from './busy-retry.ts'
import type { Connection } from './connection.ts'
import { translate } from './errors.ts'
import { streamRows } from './stream.ts'

/** An executor over one connection, which statements and transactions share in turn. */
export class SqliteExecutor implements Executor {
  readonly dialect = 'sqlite' as const
  readonly family: null = null
  readonly ephemeral?: true
  readonly #connection: Connection
  readonly #turnstile = new Turnstile()
  #closing: Promise<void> | null = null

  constructor(connection: Connection) {
    this.#connection = connection
    if (connection.database.memory) this.ephemeral = true
  }

  async execute<Row>(source: StatementSource, { signal }: CallOptions = {}): Promise<Result<Row>> {
    const statement = callersStatement(source, 'sqlite')
    const work = (): Result<Row> => this.#connection.statements.run<Row>(statement)
    // Most calls find the connection free and the database not busy, and end within this turn.
    return this.#atOnce(work, signal) ?? this.#alone(work, signal)
  }

  async *stream<Row>(source: StatementSource, { signal }: CallOptions = {}): AsyncIterable<Row> {
    yield* streamRows<Row>(this.#connection.statements, callersStatement(source, 'sqlite'), {
      read: (work) => this.#alone(work, signal),
      free: (work) => this.#alone(work, undefined),
    })
  }

  /** Begins immediate: a transaction that reads first and writes later can be refused for good. */
  async transaction<T>(work: (tx: Executor) => Promise<T>, { signal }: CallOptions = {}): Promise<T> {
    await this.#enter(signal)
    try {
      await retryBusy(this.#connection.policy, () => this.#connection.control('begin immediate'), signal)
      return await transact(this, new SqliteSession(this.#connection), work, signal)
    } finally {
      this.#turnstile.leave()
    }
  }

  shardIds(): readonly [] {
    return []
  }

  /** @throws TransactionBusyError inside a transaction, which it would wait for */
  async close(): Promise<void> {
    refuseInside(this)
    this.#closing ??= this.#close()
    await this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
    await this.#turnstile.enter()
    this.#connection.database.close()
    this.#turnstile.leave()
  }

  #check(signal: AbortSignal | undefined): void {
    if (this.#closing) throw new ClosedError('the database')
    checkSignal(signal)
    refuseInside(this)
  }

  async #enter(signal: AbortSignal | undefined): Promise<void> {
    this.#check(signal)
    await this.#turnstile.enter(signal)
  }

  /** Runs `work` now, or gives null if it has to wait for its turn. */
  #atOnce<T>(work: () => T, signal: AbortSignal | undefined): T | null {
    this.#check(signal)
    if (this.#turnstile.taken) return null
    try {
      return this.#attempt(work)
    } catch (error) {
      const translated = translate(error)
      if (isShardError(translated, 'BUSY')) return null
      throw translated
    }
  }

  /** Runs `work` when no transaction is open, again while the database is busy. */
  async #alone<T>(work: () => T, signal: AbortSignal | undefined): Promise<T> {
    await this.#enter(signal)
    try {
      return await retryBusy(this.#connection.policy, () => this.#attempt(work), signal)
    } finally {
      this.#turnstile.leave()
    }
  }

  #attempt<T>(work: () => T): T {
    this.#connection.enterWal()
    const result = work()
    if (this.#connection.database.inTransaction) {
      this.#connection.control('rollback')
      throw new InvalidArgumentError('a statement may not begin a transaction: use transaction()')
    }
    return result
  }
}

/** The connection while a transaction is open on it. */
class SqliteSession implements Session {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  run<Row>(statement: Statement, signal?: AbortSignal): Promise<Result<Row>> {
    return this.#attempt(() => this.#connection.statements.run<Row>(statement), signal)
  }

  async *stream<Row>(statement: Statement, signal?: AbortSignal): AsyncIterable<Row> {
    yield* streamRows<Row>(this.#connection.statements, statement, {
      read: (work) => this.#attempt(work, signal),
      free: (work) => this.#attempt(work),
    })
  }

  async commit(): Promise<void> {
    try {
      await this.#attempt(() => this.#connection.control('commit'))
    } catch (error) {
      await this.rollback()
      throw error
    }
  }

  async rollback(): Promise<void> {
    try {
      // SQLite has rolled back by itself on some errors, such as a full disk.
      if (this.#connection.database.inTransaction) this.#connection.control('rollback')
    } catch {
      // What cannot be rolled back is a broken connection: the next call on it says so.
    }
  }

  #attempt<T>(work: () => T, signal?: AbortSignal): Promise<T> {
    const attempt = (): T => {
      if (this.#connection.database.inTransaction) return work()
      throw new QueryFailedError(new Error('the engine has rolled the transaction back'))
    }
    return retryBusy(this.#connection.policy, attempt, signal)
  }
}
