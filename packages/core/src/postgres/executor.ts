import { checkSignal } from '../argument.ts'
import { ClosedError } from '../driver-errors.ts'
import type { CallOptions, Executor, Result, Statement, StatementSource } from '../executor.ts'
import { InFlight } from '../in-flight.ts'
import { refuseInside } from '../scope.ts'
import { callersStatement } from '../statement.ts'
import { transact } from '../transaction-executor.ts'
import type { PostgresClient } from './client.ts'
import { PreparePolicy } from './prepare-policy.ts'
import { type Lane, runQuery, streamQuery } from './query.ts'
import { PostgresSession } from './session.ts'

/** How long the driver lets open connections end before it cuts them, in seconds. */
const END_TIMEOUT_S = 5

/** An executor over a pool of connections. */
export class PostgresExecutor implements Executor {
  readonly dialect = 'postgres' as const
  readonly family: null = null
  readonly #client: PostgresClient
  readonly #policy = new PreparePolicy()
  readonly #transactions = new InFlight()
  #closing: Promise<void> | null = null

  constructor(client: PostgresClient) {
    this.#client = client
  }

  async execute<Row>(source: StatementSource, { signal }: CallOptions = {}): Promise<Result<Row>> {
    const statement = callersStatement(source, 'postgres')
    this.#check(signal)
    return runQuery<Row>(this.#lane(statement), statement, signal)
  }

  async *stream<Row>(source: StatementSource, { signal }: CallOptions = {}): AsyncIterable<Row> {
    const statement = callersStatement(source, 'postgres')
    this.#check(signal)
    yield* streamQuery<Row>(this.#lane(statement), statement, signal)
  }

  async transaction<T>(work: (tx: Executor) => Promise<T>, { signal }: CallOptions = {}): Promise<T> {
    this.#check(signal)
    return this.#transactions.track(async () => {
      const session = await PostgresSession.begin(this.#client, this.#policy, signal)
      return transact(this, session, work, signal)
    })
  }

  shardIds(): readonly [] {
    return []
  }

  close(): Promise<void> {
    this.#closing ??= this.#transactions.ended().then(() => this.#client.end({ timeout: END_TIMEOUT_S }))
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #lane({ sql }: Statement): Lane {
    return { queries: this.#client, prepare: this.#policy.admits(sql), lost: 'unknown' }
  }

  #check(signal: AbortSignal | undefined): void {
    if (this.#closing) throw new ClosedError('the database')
    checkSignal(signal)
    refuseInside(this)
  }
}
