import {
  type CallOptions,
  ClosedError,
  checkSignal,
  type DialectName,
  type Executor,
  InvalidArgumentError,
  type Result,
  type Statement,
  type StatementSource,
} from '@shard/core'
import { callersStatement, InFlight, refuseInside, Turnstile, transact } from '@shard/core/adapter'
import type { ColumnsOf } from './column-reading.ts'
import { type AnyKysely, type Lane, Link } from './link.ts'
import { type PageReader, readPages } from './paging.ts'
import { KyselySession } from './session.ts'

/**
 * How an engine's sessions serve calls. `pool`: each call has its own (pg, mysql2). `one`: all calls share one
 * in turn (PGlite, a SQLite file). `none`: nothing lasts from one statement to the next (Cloudflare D1).
 */
export type Sessions = 'pool' | 'one' | 'none'

/** What the executor cannot see through Kysely; every field has a default. */
export interface KyselyExecutorOptions {
  /** How integers are read. Without it they are as the driver gives them, and it must be set to give them right. */
  readonly columns?: ColumnsOf
  /** Default: `one` for SQLite and where Kysely's adapter says so, else `pool`. */
  readonly sessions?: Sessions
  /** For an engine that cannot carry 64-bit integers. */
  readonly int64?: false
}

/** Rows that a stream reads at once where nothing can be kept between statements. */
const MAX_ROWS_AT_ONCE = 100_000

/**
 * An executor over any Kysely (0.28 or 0.29), which it owns from then on: for engines that have no adapter of
 * their own. The Kysely's plugins are left out. `signal` is checked before each statement and between rows;
 * a statement that runs is not interrupted.
 *
 * `stream` uses the driver's cursor with `pool`; with `one` the session keeps the rows (SQLite: a temporary
 * table, PostgreSQL: a cursor with hold) and gives them in pages, so that others are served in between;
 * otherwise they are read at once, 100,000 at most. With `none` there are no transactions.
 * @throws InvalidArgumentError for options that are none
 */
export function kyselyExecutor(
  kysely: AnyKysely,
  dialect: DialectName,
  options: KyselyExecutorOptions = {},
): Executor {
  const { columns = null, sessions = sessionsOf(kysely, dialect), int64 } = options
  if (!['pool', 'one', 'none'].includes(sessions))
    throw new InvalidArgumentError("sessions is 'pool', 'one' or 'none'")
  if (!['sqlite', 'postgres', 'mysql'].includes(dialect))
    throw new InvalidArgumentError("a dialect is 'sqlite', 'postgres' or 'mysql'")
  return new KyselyExecutor(
    kysely.withoutPlugins(),
    new Link(dialect, columns, int64 === false),
    sessions,
    int64,
  )
}

const usual: Record<DialectName, Sessions> = { sqlite: 'one', postgres: 'pool', mysql: 'pool' }

/** Kysely 0.29 knows of an adapter with one connection. */
function sessionsOf(kysely: AnyKysely, dialect: DialectName): Sessions {
  const adapter = kysely.getExecutor().adapter as { supportsMultipleConnections?: boolean }
  return adapter.supportsMultipleConnections === false ? 'one' : usual[dialect]
}

class KyselyExecutor implements Executor {
  readonly dialect: DialectName
  readonly family: null = null
  readonly int64?: false
  readonly #db: AnyKysely
  readonly #link: Link
  readonly #lane: Lane
  readonly #sessions: Sessions
  readonly #inFlight = new InFlight()
  readonly #turnstile: Turnstile | null
  #closing: Promise<void> | null = null

  constructor(db: AnyKysely, link: Link, sessions: Sessions, int64: false | undefined) {
    this.dialect = link.dialect
    if (int64 === false) this.int64 = false
    this.#db = db
    this.#link = link
    this.#lane = { db, insideTransaction: false, lost: 'unknown' }
    this.#sessions = sessions
    this.#turnstile = sessions === 'one' ? new Turnstile() : null
  }

  async execute<Row>(source: StatementSource, { signal }: CallOptions = {}): Promise<Result<Row>> {
    const statement = callersStatement(source, this.dialect)
    return this.#inTurn(signal, () => this.#link.run<Row>(this.#lane, statement))
  }

  async *stream<Row>(source: StatementSource, { signal }: CallOptions = {}): AsyncIterable<Row> {
    const statement = callersStatement(source, this.dialect)
    this.#check(signal)
    for await (const row of this.#rowsOf<Row>(statement, signal)) {
      checkSignal(signal)
      yield row
    }
  }

  async transaction<T>(work: (tx: Executor) => Promise<T>, { signal }: CallOptions = {}): Promise<T> {
    if (this.#sessions === 'none') throw new InvalidArgumentError('the engine has no transactions')
    return this.#inTurn(signal, async () => {
      const session = await KyselySession.begin(this.#link, this.#db, this.#turnstile !== null, signal)
      return transact(this, session, work, signal)
    })
  }

  shardIds(): readonly [] {
    return []
  }

  /** @throws TransactionBusyError inside a transaction, which it would wait for */
  async close(): Promise<void> {
    refuseInside(this)
    this.#closing ??= this.#inFlight.ended().then(() => this.#db.destroy())
    await this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #rowsOf<Row>(statement: Statement, signal: AbortSignal | undefined): AsyncIterable<Row> {
    const { paging } = this.#link.engine
    if (this.#sessions === 'pool') return this.#link.stream<Row>(this.#lane, statement)
    if (this.#sessions === 'none' || !paging || this.#link.isWrite(statement))
      return this.#atOnce<Row>(statement, signal)
    return readPages(paging, statement, this.#link.nextName(), this.#pageReader<Row>(signal), signal)
  }

  #pageReader<Row>(signal: AbortSignal | undefined): PageReader<Row> {
    return {
      columnsOf: (one) => this.#inTurn(signal, () => this.#link.columnsOf(one)),
      run: (one) => this.#inTurn(signal, () => this.#link.rows(this.#lane, one)),
      free: (one) => this.#inTurn(undefined, () => this.#link.rows(this.#lane, one)).catch(() => {}),
      read: (rows, columns) => this.#link.read<Row>(rows, columns, 'not-applied'),
    }
  }

  /** All rows of a statement. Of one that only reads, as many as fit: the engine is not asked for more. */
  async *#atOnce<Row>(statement: Statement, signal: AbortSignal | undefined): AsyncGenerator<Row> {
    const isQuery = /^\s*(?:select|with|values)\b/i.test(statement.sql) && !this.#link.isWrite(statement)
    const sql = `select * from (${statement.sql}\n) as shard_rows limit ${MAX_ROWS_AT_ONCE + 1}`
    const { rows } = await this.#inTurn(signal, () =>
      this.#link.run<Row>(this.#lane, isQuery ? { ...statement, sql } : statement),
    )
    if (rows.length > MAX_ROWS_AT_ONCE)
      throw new InvalidArgumentError(`more than ${MAX_ROWS_AT_ONCE} rows: ask for them by key, page by page`)
    yield* rows
  }

  #check(signal: AbortSignal | undefined): void {
    if (this.#closing) throw new ClosedError('the database')
    checkSignal(signal)
    refuseInside(this)
  }

  async #inTurn<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    this.#check(signal)
    return this.#inFlight.track(async () => {
      await this.#turnstile?.enter(signal)
      try {
        return await work()
      } finally {
        this.#turnstile?.leave()
      }
    })
  }
}
