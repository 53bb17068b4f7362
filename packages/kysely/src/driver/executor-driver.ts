import { type Executor, type Result, TransactionBusyError } from '@shard/core'
import { enterInside, ownersOutside } from '@shard/core/adapter'
import type { DatabaseConnection, Driver, QueryResult, TransactionSettings } from 'kysely'
import type { CompiledQuery } from '../tree.ts'
import { PinnedTransaction } from './pinned-transaction.ts'
import type { Task } from './task.ts'

/** How a driver tells where statements go, and how transactions begin. */
export interface Dispatch {
  /** @throws UnroutedError, CrossShardError; nothing has run then */
  taskOf(compiled: CompiledQuery): Task
  /** @throws InvalidArgumentError for settings that the engine cannot have */
  settingsOf(settings: TransactionSettings): string | null
}

/** Kysely 0.29 hands a signal on. */
interface Abortable {
  readonly signal?: AbortSignal
}

/** A driver that has no connections of its own: each statement goes to the executor. Destroying it closes the executor. */
export class ExecutorDriver implements Driver {
  readonly #executor: Executor
  readonly #dispatch: Dispatch

  constructor(executor: Executor, dispatch: Dispatch) {
    this.#executor = executor
    this.#dispatch = dispatch
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<ExecutorConnection> {
    return new ExecutorConnection(this.#executor, this.#dispatch)
  }

  /** Not an async function: what it says of the running code has to hold for the code that called it. */
  beginTransaction(connection: ExecutorConnection, settings: TransactionSettings): Promise<void> {
    try {
      connection.begin(this.#dispatch.settingsOf(settings))
      return Promise.resolve()
    } catch (error) {
      return Promise.reject(error)
    }
  }

  commitTransaction(connection: ExecutorConnection): Promise<void> {
    return connection.end((transaction) => transaction.commit())
  }

  rollbackTransaction(connection: ExecutorConnection): Promise<void> {
    return connection.end((transaction) => transaction.rollback())
  }

  async savepoint(connection: ExecutorConnection, name: string): Promise<void> {
    await connection.transaction?.savepoint(name)
  }

  async rollbackToSavepoint(connection: ExecutorConnection, name: string): Promise<void> {
    await connection.transaction?.rollbackTo(name)
  }

  async releaseSavepoint(connection: ExecutorConnection, name: string): Promise<void> {
    await connection.transaction?.release(name)
  }

  async releaseConnection(): Promise<void> {}

  destroy(): Promise<void> {
    return this.#executor.close()
  }
}

/** What Kysely takes for a connection: the place where a transaction, if there is one, is kept. */
export class ExecutorConnection implements DatabaseConnection {
  readonly #executor: Executor
  readonly #dispatch: Dispatch
  transaction: PinnedTransaction | null = null
  #leave: () => void = () => {}

  constructor(executor: Executor, dispatch: Dispatch) {
    this.#executor = executor
    this.#dispatch = dispatch
  }

  begin(first: string | null): void {
    this.transaction = new PinnedTransaction(this.#executor, first)
    this.#leave = enterInside(this.transaction)
  }

  async end(how: (transaction: PinnedTransaction) => Promise<void>): Promise<void> {
    const { transaction } = this
    this.transaction = null
    try {
      if (transaction) await how(transaction)
    } finally {
      this.#leave()
    }
  }

  async executeQuery<Row>(compiled: CompiledQuery, options: Abortable = {}): Promise<QueryResult<Row>> {
    const task = this.#dispatch.taskOf(compiled)
    const executor = await this.#executorFor(task)
    const result = await executor.execute<Row>(task.statement, { route: task.route, signal: options.signal })
    return resultOf(result, compiled)
  }

  async *streamQuery<Row>(
    compiled: CompiledQuery,
    _chunkSize?: number,
    options: Abortable = {},
  ): AsyncIterableIterator<QueryResult<Row>> {
    const task = this.#dispatch.taskOf(compiled)
    const executor = await this.#executorFor(task)
    const rows = executor.stream<Row>(task.statement, { route: task.route, signal: options.signal })
    for await (const row of rows) yield { rows: [row] }
  }

  async #executorFor(task: Task): Promise<Executor> {
    if (this.transaction !== null) return this.transaction.executorFor(task)
    for (const owner of ownersOutside()) {
      if (owner instanceof PinnedTransaction && owner.holds(this.#executor, task.place))
        throw new TransactionBusyError('use the Kysely that the transaction hands to its callback')
    }
    return this.#executor
  }
}

function resultOf<Row>({ rows, affectedRows }: Result<Row>, { query }: CompiledQuery): QueryResult<Row> {
  // Kysely's type is of an array that may be written to; plugins make another one.
  const result = { rows: rows as Row[] }
  return query.kind === 'SelectQueryNode' ? result : { ...result, numAffectedRows: affectedRows }
}
