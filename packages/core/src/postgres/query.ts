import { checkSignal } from '../argument.ts'
import { AbortedError } from '../driver-errors.ts'
import { isShardError, type Outcome } from '../errors.ts'
import type { Result, Statement } from '../executor.ts'
import { cancel } from './cancel.ts'
import type { PostgresColumn, PostgresQuery, PostgresRows, QueryInside } from './client.ts'
import type { Connection } from './connection.ts'
import { isCancelled, translate } from './errors.ts'
import { Pages } from './pages.ts'
import { readRows } from './rows.ts'

/** How long a server that stands still is waited for before the caller is let go. */
export const GRACE_MS = 1_000

/** Rows fetched at a time by a stream. */
const PAGE_ROWS = 500

/** Commands whose count is of rows written. */
const WRITES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** Where a statement runs, and what a broken connection means for it. */
export interface Lane {
  readonly connection: Connection
  readonly prepare: boolean
  /** The outcome of a statement that had been sent when the connection broke. */
  readonly lost: Outcome
}

/**
 * Runs one statement to its end; the signal cancels it on the server. A caller whose statement does not heed that
 * is let go, and the connection stays occupied until it does.
 */
export async function runQuery<Row>(
  lane: Lane,
  statement: Statement,
  signal?: AbortSignal,
): Promise<Result<Row>> {
  const rows = await rowsOf(lane, statement, signal)
  return {
    rows: readRows(rows, rows.columns ?? []) as Row[],
    affectedRows: WRITES.has(rows.command) ? BigInt(rows.count ?? 0) : 0n,
  }
}

/** The same, for what the server says in its own words. */
export async function rowsOf(lane: Lane, statement: Statement, signal?: AbortSignal): Promise<PostgresRows> {
  const { connection, prepare } = lane
  if (connection.occupied) await connection.occupied
  checkSignal(signal)
  const query = connection.send(statement.sql, statement.parameters, { prepare, simple: false })
  try {
    return await (signal ? unlessAborted(lane, query, query, signal) : query)
  } catch (error) {
    throw failure(lane, query, error, signal)
  }
}

/** Reads a statement's rows in pages, from one portal. */
export async function* streamQuery<Row>(
  lane: Lane,
  statement: Statement,
  signal?: AbortSignal,
): AsyncGenerator<Row> {
  const { connection, prepare } = lane
  if (connection.occupied) await connection.occupied
  checkSignal(signal)
  const query = connection.prepare(statement.sql, statement.parameters, { prepare, simple: false })
  const pages = new Pages(connection, query, PAGE_ROWS)
  let columns: readonly PostgresColumn[] = []
  let ended = false
  try {
    while (!ended) {
      const answer = pages.next()
      const page = await (signal ? unlessAborted(lane, query, answer, signal) : answer)
      checkSignal(signal)
      ended = page === null
      if (page === null) break
      columns = page.columns ?? columns
      yield* readRows(page, columns) as Row[]
    }
  } catch (error) {
    ended = !isShardError(error)
    throw failure(lane, query, error, signal)
  } finally {
    if (!ended) await pages.close()
  }
}

/** The answer; after an abort, the server's word on the cancelled statement, but it is not waited for for ever. */
function unlessAborted<T>(
  { connection, lost }: Lane,
  query: PostgresQuery,
  answer: Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const abort = (): void => {
      connection.occupy(cancel(query, answer))
      const letGo = (): void => reject(new AbortedError(signal.reason, outcomeOf(query, lost)))
      timer = setTimeout(letGo, GRACE_MS)
    }
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', abort)
    }
    signal.addEventListener('abort', abort, { once: true })
    answer.finally(done).then(resolve, reject)
  })
}

/** What a failure means; one of the connection ends its use. */
function failure(
  { connection, lost }: Lane,
  query: PostgresQuery,
  error: unknown,
  signal?: AbortSignal,
): Error {
  if (signal?.aborted && isCancelled(error)) return new AbortedError(signal.reason)
  const translated = translate(error, outcomeOf(query, lost))
  if (isShardError(translated, 'CONNECTION_LOST')) connection.lose(error)
  return translated
}

/** A query that never reached a connection, or was only described there, cannot have been applied. */
function outcomeOf(query: PostgresQuery, lost: Outcome): Outcome {
  const { state, describeFirst } = query as unknown as QueryInside
  return state === null || describeFirst ? 'not-applied' : lost
}
