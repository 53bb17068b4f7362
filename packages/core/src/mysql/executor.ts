import { checkSignal } from '../argument.ts'
import { atMost } from '../at-most.ts'
import { ClosedError } from '../driver-errors.ts'
import type { CallOptions, ConnectionCheck, Executor, Result, StatementSource } from '../executor.ts'
import { InFlight } from '../in-flight.ts'
import { refuseInside } from '../scope.ts'
import { callersStatement } from '../statement.ts'
import { transact } from '../transaction-executor.ts'
import type { Connections } from './connections.ts'
import { runQuery, streamQuery } from './query.ts'
import { MysqlSession } from './session.ts'

/** How long single statements in flight may go on after the close has begun. */
const END_TIMEOUT_MS = 5_000

/** An executor over a pool of connections. */
export class MysqlExecutor implements Executor {
  readonly dialect = 'mysql' as const
  readonly family: null = null
  readonly #connections: Connections
  readonly #statements = new InFlight()
  readonly #transactions = new InFlight()
  #closing: Promise<void> | null = null

  constructor(connections: Connections) {
    this.#connections = connections
  }

  async execute<Row>(source: StatementSource, { signal }: CallOptions = {}): Promise<Result<Row>> {
    const statement = callersStatement(source, 'mysql')
    this.#check(signal)
    this.#statements.enter()
    try {
      const connection = await this.#connections.take(signal)
      try {
        return await runQuery<Row>(connection, 'unknown', statement, signal)
      } finally {
        connection.release()
      }
    } finally {
      this.#statements.leave()
    }
  }

  async *stream<Row>(source: StatementSource, { signal }: CallOptions = {}): AsyncIterable<Row> {
    const statement = callersStatement(source, 'mysql')
    this.#check(signal)
    const connection = await this.#connections.take(signal)
    try {
      yield* streamQuery<Row>(connection, 'unknown', statement, signal)
    } finally {
      connection.release()
    }
  }

  async transaction<T>(work: (tx: Executor) => Promise<T>, { signal }: CallOptions = {}): Promise<T> {
    this.#check(signal)
    return this.#transactions.track(async () => {
      const session = await MysqlSession.begin(this.#connections, signal)
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
    this.#closing ??= this.#close()
    return this.#closing
  }

  async #close(): Promise<void> {
    await this.#transactions.ended()
    await atMost(END_TIMEOUT_MS, this.#statements.ended())
    await this.#connections.end()
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
