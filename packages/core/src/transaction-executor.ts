import { checkSignal } from './argument.ts'
import { ClosedError } from './driver-errors.ts'
import { TransactionBusyError } from './errors.ts'
import type { CallOptions, DialectName, Executor, Result, Statement, StatementSource } from './executor.ts'
import { refuseInside, runInside } from './scope.ts'
import { callersStatement } from './statement.ts'
import { Turnstile } from './turnstile.ts'

/** One connection inside a transaction; one call at a time. */
export interface Session {
  /**
   * Absent where every statement can be rolled back.
   * @throws InvalidArgumentError for a statement that would commit, and so end the savepoint that it is in
   */
  checkNested?(statement: Statement): void
  run<Row>(statement: Statement, signal?: AbortSignal): Promise<Result<Row>>
  stream<Row>(statement: Statement, signal?: AbortSignal): AsyncIterable<Row>
  /** On failure the session has freed its connection; the error's outcome says whether it was applied. */
  commit(): Promise<void>
  /** Frees the connection, whatever state it is in; never rejects. */
  rollback(): Promise<void>
}

/**
 * Runs `work` in the transaction that `session` has begun for `owner`, and ends it.
 * @throws what `work` throws; `ABORTED` if the signal was aborted before the commit
 */
export async function transact<T>(
  owner: Executor,
  session: Session,
  work: (tx: Executor) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const tx = new TransactionExecutor(owner.dialect, session, 1)
  let result: T
  try {
    result = await runInside(owner, () => work(tx))
    await tx.seal()
    checkSignal(signal)
  } catch (error) {
    await tx.seal()
    await session.rollback()
    throw error
  }
  await session.commit()
  return result
}

/** A transaction (depth 1) or a savepoint in it; statements run one after the other. */
class TransactionExecutor implements Executor {
  readonly dialect: DialectName
  readonly family: null = null
  readonly #session: Session
  readonly #depth: number
  readonly #turnstile = new Turnstile()
  #sealing: Promise<void> | null = null
  #open: AsyncIterator<unknown> | null = null

  constructor(dialect: DialectName, session: Session, depth: number) {
    this.dialect = dialect
    this.#session = session
    this.#depth = depth
  }

  async execute<Row>(source: StatementSource, { signal }: CallOptions = {}): Promise<Result<Row>> {
    const statement = callersStatement(source, this.dialect)
    if (this.#depth > 1) this.#session.checkNested?.(statement)
    return this.#alone(signal, () => this.#session.run<Row>(statement, signal))
  }

  /** Until the loop ends, other calls on the transaction are refused: most engines could not answer them. */
  async *stream<Row>(source: StatementSource, { signal }: CallOptions = {}): AsyncIterable<Row> {
    const statement = callersStatement(source, this.dialect)
    await this.#enter(signal)
    const rows = this.#session.stream<Row>(statement, signal)[Symbol.asyncIterator]()
    this.#open = rows
    try {
      yield* { [Symbol.asyncIterator]: () => rows }
    } finally {
      this.#open = null
      this.#turnstile.leave()
    }
  }

  async transaction<T>(work: (tx: Executor) => Promise<T>, { signal }: CallOptions = {}): Promise<T> {
    return this.#alone(signal, async () => {
      const name = `shard_${this.#depth}`
      const inner = new TransactionExecutor(this.dialect, this.#session, this.#depth + 1)
      await this.#control(`savepoint ${name}`)
      try {
        const result = await runInside(this, () => work(inner))
        await inner.seal()
        checkSignal(signal)
        await this.#control(`release savepoint ${name}`)
        return result
      } catch (error) {
        await inner.seal()
        await this.#control(`rollback to savepoint ${name}`).catch(() => {})
        throw error
      }
    })
  }

  shardIds(): readonly [] {
    return []
  }

  /** Lets the statements in flight end, and takes no more; ends a stream whose loop was left open. */
  seal(): Promise<void> {
    this.#sealing ??= this.#settle()
    return this.#sealing
  }

  async #settle(): Promise<void> {
    // A loop that nobody goes on with holds its turn for ever; its rows are all that must end.
    if (this.#open) await this.#open.return?.()
    else await this.#turnstile.enter()
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #control(sql: string): Promise<unknown> {
    return this.#session.run({ sql, parameters: [] })
  }

  async #enter(signal: AbortSignal | undefined): Promise<void> {
    if (this.#sealing) throw new ClosedError('the transaction')
    if (this.#open) throw new TransactionBusyError('the transaction is read by a stream; end its loop first')
    refuseInside(this)
    await this.#turnstile.enter(signal)
  }

  async #alone<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    await this.#enter(signal)
    try {
      return await work()
    } finally {
      this.#turnstile.leave()
    }
  }
}
