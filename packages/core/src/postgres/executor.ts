import { checkSignal } from '../argument.ts'
import { ClosedError } from '../driver-errors.ts'
import type { CallOptions, ConnectionCheck, Executor, Result, StatementSource } from '../executor.ts'
import { InFlight } from '../in-flight.ts'
import { refuseInside } from '../scope.ts'
import { callersStatement } from '../statement.ts'
import { transact } from '../transaction-executor.ts'
import type { Connections } from './connections.ts'
import { PreparePolicy } from './prepare-policy.ts'
import { runQuery, streamQuery } from './query.ts'
import { PostgresSession } from './session.ts'

/** An executor over a pool of connections. */
export class PostgresExecutor implements Executor {
  readonly dialect = 'postgres' as const
  readonly family: null = null
  readonly #connections: Connections
  readonly #policy = new PreparePolicy()
  readonly #transactions = new InFlight()
  #closing: Promise<void> | null = null

  constructor(connections: Connections) {
    this.#connections = connections
  }

  async execute<Row>(source: StatementSource, { signal }: CallOptions = {}): Promise<Result<Row>> {
    const statement = callersStatement(source, 'postgres')
    this.#check(signal)
    const connection = await this.#connections.take(signal)
    try {
      const lane = { connection, prepare: this.#policy.admits(statement.sql), lost: 'unknown' } as const
      return await runQuery<Row>(lane, statement, signal)
    } finally {
      this.#connections.give(connection)
    }
  }

  async *stream<Row>(source: StatementSource, { signal }: CallOptions = {}): AsyncIterable<Row> {
    const statement = callersStatement(source, 'postgres')
    this.#check(signal)
    const connection = await this.#connections.take(signal)
    try {
      const lane = { connection, prepare: this.#policy.admits(statement.sql), lost: 'unknown' } as const
      yield* streamQuery<Row>(lane, statement, signal)
    } finally {
      this.#connections.give(connection)
    }
  }

  async transaction<T>(work: (tx: Executor) => Promise<T>, { signal }: CallOptions = {}): Promise<T> {
    this.#check(signal)
    return this.#transactions.track(async () => {
      const session = await PostgresSession.begin(this.#connections, this.#policy, signal)
      return transact(this, session, work, signal)
    })
  }

  shardIds(): readonly [] {
    return []
  }

  checkConnections(check: ConnectionCheck): void {
    this.#connections.checkEach(check)
  }

  close(): Promise<void> {
    this.#closing ??= this.#transactions.ended().then(() => this.#connections.end())
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #check(signal: AbortSignal | undefined): void {
    if (this.#closing) throw new ClosedError('the database')
    checkSignal(signal)
    refuseInside(this)
  }
}
