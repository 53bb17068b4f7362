import { checkSignal } from '../argument.ts'
import { AbortedError } from '../driver-errors.ts'
import type { Outcome } from '../errors.ts'
import type { Result, Statement } from '../executor.ts'
import type { PostgresColumn, PostgresQueries, PostgresQuery, PostgresRows, QueryInside } from './client.ts'
import { isCancelled, translate } from './errors.ts'
import { readRows } from './rows.ts'

/** How long the server has to answer a cancel request before the caller is let go. */
const CANCEL_GRACE_MS = 1_000

/** Rows fetched at a time by a stream. */
const PAGE_ROWS = 500

/** Commands whose count is of rows written. */
const WRITES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE'])

/** Where a statement runs, and what a broken connection means for it. */
export interface Lane {
  readonly queries: PostgresQueries
  readonly prepare: boolean
  /** The outcome of a statement that had been sent when the connection broke. */
  readonly lost: Outcome
}

/** Runs one statement to its end; the signal cancels it on the server. */
export async function runQuery<Row>(
  lane: Lane,
  statement: Statement,
  signal?: AbortSignal,
): Promise<Result<Row>> {
  checkSignal(signal)
  const rows = await settle(send(lane, statement), lane.lost, signal)
  return {
    rows: readRows(rows, rows.columns ?? []) as Row[],
    affectedRows: WRITES.has(rows.command) ? BigInt(rows.count ?? 0) : 0n,
  }
}

/** Reads a statement's rows in pages, from one portal. */
export async function* streamQuery<Row>(
  lane: Lane,
  statement: Statement,
  signal?: AbortSignal,
): AsyncGenerator<Row> {
  checkSignal(signal)
  const query = send(lane, statement)
  let columns: readonly PostgresColumn[] = []
  const abort = (): void => cancel(query)
  signal?.addEventListener('abort', abort, { once: true })
  try {
    for await (const page of query.cursor(PAGE_ROWS) as AsyncIterable<PostgresRows>) {
      checkSignal(signal)
      columns = page.columns ?? columns
      yield* readRows(page, columns) as Row[]
    }
    checkSignal(signal)
  } catch (error) {
    if (signal?.aborted && isCancelled(error)) throw new AbortedError(signal.reason)
    throw translate(error, outcomeOf(query, lane.lost))
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

function send({ queries, prepare }: Lane, { sql, parameters }: Statement): PostgresQuery {
  return queries.unsafe(sql, [...parameters], { prepare, simple: false })
}

/** Waits for the answer; after an abort, for the server's word on the cancelled statement, but not for ever. */
function settle(query: PostgresQuery, lost: Outcome, signal: AbortSignal | undefined): Promise<PostgresRows> {
  return new Promise((resolve, reject) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const abort = (): void => {
      cancel(query)
      timer = setTimeout(() => {
        reject(new AbortedError(signal?.reason, outcomeOf(query, lost)))
      }, CANCEL_GRACE_MS)
    }
    const done = (): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
    signal?.addEventListener('abort', abort, { once: true })
    query.then(
      (rows) => {
        done()
        resolve(rows)
      },
      (error) => {
        done()
        const aborted = signal?.aborted && isCancelled(error)
        reject(aborted ? new AbortedError(signal.reason) : translate(error, outcomeOf(query, lost)))
      },
    )
  })
}

/** A query that never reached a connection cannot have been applied. */
function outcomeOf(query: PostgresQuery, lost: Outcome): Outcome {
  return (query as unknown as QueryInside).state === null ? 'not-applied' : lost
}

/**
 * Asks the server to stop the statement. A turn later, since the driver loses the connection of a query
 * that is cancelled between its start and its sending. A request that fails leaves the statement running.
 */
function cancel(query: PostgresQuery): void {
  setImmediate(() => {
    const inside = query as unknown as QueryInside
    inside.canceller?.(query)?.catch(() => {})
  })
}
