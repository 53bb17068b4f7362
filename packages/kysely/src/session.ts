import {
  AbortedError,
  checkSignal,
  isShardError,
  QueryFailedError,
  type Result,
  type ShardError,
  type Statement,
} from '@shard/core'
import type { Session } from '@shard/core/adapter'
import type { AnyKysely, Lane, Link } from './link.ts'
import { readPages } from './paging.ts'

/** Errors after which a transaction surely goes on; after others the engine may have undone it. */
const harmless: ReadonlySet<string> = new Set([
  'ABORTED',
  'CONSTRAINT_VIOLATION',
  'INTEGER_OUT_OF_RANGE',
  'INVALID_ARGUMENT',
  'QUERY_FAILED',
  'READ_ONLY',
  'UNIQUE_VIOLATION',
])

/** Refusals that never came from the engine. */
const ours: ReadonlySet<string> = new Set(['ABORTED', 'INTEGER_OUT_OF_RANGE', 'INVALID_ARGUMENT'])

/** Thrown inside Kysely's transaction to make it roll back. */
const undo: unique symbol = Symbol('undo')

/** Kysely's transaction, kept open until it is told how to end. */
export class KyselySession implements Session {
  readonly #link: Link
  readonly #lane: Lane
  readonly #inPages: boolean
  readonly #end: (how: typeof undo | null) => void
  readonly #ended: Promise<unknown>
  /** Why the transaction can only be rolled back. */
  #doomed: ShardError | null = null
  /** The failure that a rollback to a savepoint before it makes good. */
  #failed: ShardError | null = null

  private constructor(link: Link, db: AnyKysely, inPages: boolean, open: Open) {
    this.#link = link
    this.#lane = { db, insideTransaction: true, lost: 'not-applied' }
    this.#inPages = inPages
    this.#end = open.end
    this.#ended = open.ended
  }

  /** Takes a connection and begins; an abort while waiting gives it back as soon as it comes. */
  static async begin(
    link: Link,
    db: AnyKysely,
    inPages: boolean,
    signal?: AbortSignal,
  ): Promise<KyselySession> {
    const open = openTransaction(db)
    try {
      return new KyselySession(link, await orAborted(open.begun, signal), inPages, open)
    } catch (error) {
      open.end(undo)
      open.ended.catch(() => {})
      throw link.engine.meaning(error, 'not-applied')
    }
  }

  async run<Row>(statement: Statement, signal?: AbortSignal): Promise<Result<Row>> {
    const result = await this.#attempt(() => this.#link.run<Row>(this.#lane, statement), signal)
    if (/^rollback to savepoint /.test(statement.sql)) this.#failed = null
    return result
  }

  async *stream<Row>(statement: Statement, signal?: AbortSignal): AsyncIterable<Row> {
    const { paging } = this.#link.engine
    if (!this.#inPages || !paging || this.#link.isWrite(statement)) {
      yield* this.#streamAtOnce<Row>(statement, signal)
      return
    }
    const step = <T>(work: () => Promise<T>): Promise<T> => this.#attempt(work, signal)
    yield* readPages<Row>(
      paging,
      statement,
      this.#link.nextName(),
      {
        columnsOf: (one) => step(() => this.#link.columnsOf(one)),
        run: (one) => step(() => this.#link.rows(this.#lane, one)),
        free: (one) => this.#attempt(() => this.#link.rows(this.#lane, one)).catch(() => {}),
        read: (rows, columns) => this.#link.read<Row>(rows, columns, 'not-applied'),
      },
      signal,
    )
  }

  async commit(): Promise<void> {
    const doomed = this.#doomed ?? this.#failed
    if (doomed) {
      await this.rollback()
      throw this.#doomed ?? new QueryFailedError(doomed)
    }
    try {
      this.#end(null)
      await this.#ended
    } catch (error) {
      throw this.#link.engine.meaning(error, 'unknown')
    }
  }

  async rollback(): Promise<void> {
    this.#end(undo)
    await this.#ended.catch(() => {})
  }

  async *#streamAtOnce<Row>(statement: Statement, signal?: AbortSignal): AsyncGenerator<Row> {
    if (this.#doomed) throw this.#doomed
    checkSignal(signal)
    const rows = this.#inPages
      ? (await this.run<Row>(statement, signal)).rows
      : this.#link.stream<Row>(this.#lane, statement)
    try {
      for await (const row of rows) {
        checkSignal(signal)
        yield row
      }
    } catch (error) {
      throw this.#doom(error)
    }
  }

  async #attempt<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#doomed) throw this.#doomed
    checkSignal(signal)
    try {
      return await work()
    } catch (error) {
      throw this.#doom(error)
    }
  }

  #doom(error: unknown): unknown {
    if (!isShardError(error)) return error
    if (!harmless.has(error.code)) this.#doomed ??= error
    if (this.#link.engine.failureDooms && !ours.has(error.code)) this.#failed ??= error
    return error
  }
}

/** A transaction of Kysely's that waits to be told how to end. */
interface Open {
  readonly begun: Promise<AnyKysely>
  /** Settles when the connection is free again; rejects if it was not committed. */
  readonly ended: Promise<unknown>
  end(how: typeof undo | null): void
}

function openTransaction(db: AnyKysely): Open {
  let end: Open['end'] = () => {}
  const told = new Promise<void>((resolve, reject) => {
    end = (how) => (how === null ? resolve() : reject(how))
  })
  told.catch(() => {})
  let ended: Promise<unknown> = told
  const begun = new Promise<AnyKysely>((resolve, reject) => {
    ended = db.transaction().execute((trx) => {
      resolve(trx)
      return told
    })
    ended.catch(reject)
  })
  return { begun, ended, end }
}

function orAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new AbortedError(signal?.reason))
    signal?.addEventListener('abort', abort, { once: true })
    promise.then(resolve, reject).finally(() => signal?.removeEventListener('abort', abort))
  })
}
