import { checkSignal } from '../argument.ts'
import { AbortedError } from '../driver-errors.ts'
import { isShardError, type Outcome } from '../errors.ts'
import type { Result, Statement } from '../executor.ts'
import { cancelOn } from './cancel.ts'
import type { MysqlConnection, MysqlCounts, MysqlField } from './driver.ts'
import { encode } from './encode.ts'
import { translate } from './errors.ts'
import { prepareOn } from './prepared.ts'
import { RowStream } from './row-stream.ts'
import { readRows } from './rows.ts'

/** A statement that writes; with RETURNING it gives the rows that it wrote. */
const WRITE = /^\s*(insert|update|delete|replace)\b/i

/** A result, and whether the statement ended an open transaction, as DDL does. */
export type MysqlResult<Row> = Result<Row> & { readonly committed: boolean }

/**
 * Runs one statement to its end; the signal cancels it on the server.
 * `lost` is the outcome if the connection breaks after the statement was sent.
 */
export async function runQuery<Row>(
  connection: MysqlConnection,
  lost: Outcome,
  statement: Statement,
  signal?: AbortSignal,
): Promise<MysqlResult<Row>> {
  if (signal) return cancellable(connection, lost, signal, () => run(connection, statement, signal))
  try {
    return await run<Row>(connection, statement)
  } catch (error) {
    throw refused(error, lost)
  }
}

async function run<Row>(
  connection: MysqlConnection,
  statement: Statement,
  signal?: AbortSignal,
): Promise<MysqlResult<Row>> {
  await prepare(connection, statement)
  checkSignal(signal)
  return send<Row>(connection, statement)
}

/** Reads a statement's rows as they come; a loop that ends early cancels the rest on the server. */
export async function* streamQuery<Row>(
  connection: MysqlConnection,
  lost: Outcome,
  statement: Statement,
  signal?: AbortSignal,
): AsyncGenerator<Row> {
  const preparing = async (): Promise<unknown> => prepare(connection, statement)
  await (signal ? cancellable(connection, 'not-applied', signal, preparing) : preparing())
  checkSignal(signal)
  const rows = begin(connection, statement, signal)
  const cancel = (): void => rows.cancel()
  signal?.addEventListener('abort', cancel, { once: true })
  let ended = false
  try {
    for await (const row of rows) {
      checkSignal(signal)
      yield row as Row
    }
    ended = true
  } catch (error) {
    ended = !isShardError(error)
    throw refused(error, lost, signal)
  } finally {
    signal?.removeEventListener('abort', cancel)
    if (!ended) cancel()
    await rows.end()
  }
}

function begin(
  connection: MysqlConnection,
  statement: Statement,
  signal: AbortSignal | undefined,
): RowStream {
  try {
    return new RowStream(connection, statement)
  } catch (error) {
    throw refused(error, 'not-applied', signal)
  }
}

/** Null if nothing is to be waited for. */
function prepare(connection: MysqlConnection, { sql, parameters }: Statement): Promise<void> | null {
  if (parameters.length === 0) return null
  return prepareOn(connection, sql)?.catch((error) => Promise.reject(translate(error, 'not-applied'))) ?? null
}

function send<Row>(connection: MysqlConnection, { sql, parameters }: Statement): Promise<MysqlResult<Row>> {
  return new Promise((resolve, reject) => {
    const answer = (error: unknown, rows: unknown, fields: readonly MysqlField[] | undefined): void => {
      if (error) reject(error)
      else if (!Array.isArray(rows)) {
        const { affectedRows, serverStatus } = rows as MysqlCounts
        resolve({ rows: [], affectedRows: BigInt(affectedRows), committed: (serverStatus & 1) === 0 })
      } else {
        const written = WRITE.test(sql) ? BigInt(rows.length) : 0n
        resolve({ rows: readRows(rows, fields ?? []) as Row[], affectedRows: written, committed: false })
      }
    }
    if (parameters.length > 0) connection.execute(sql, encode(parameters), answer)
    else connection.query(sql, answer)
  })
}

/** Runs `work`, which ends early when the signal makes the server cancel it. */
function cancellable<T>(
  connection: MysqlConnection,
  lost: Outcome,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    checkSignal(signal)
    let cancelling: Promise<void> = Promise.resolve()
    const abort = (): void => {
      cancelling = cancelOn(connection)
    }
    signal.addEventListener('abort', abort, { once: true })
    // The connection is not for others while a kill is under way.
    const end = (settle: () => void): void => {
      signal.removeEventListener('abort', abort)
      cancelling.then(settle)
    }
    work().then(
      (value) => end(() => resolve(value)),
      (error) => end(() => reject(refused(error, lost, signal))),
    )
  })
}

/** After an abort, a statement that was cancelled, or whose connection was cut, is `ABORTED`. */
function refused(error: unknown, lost: Outcome, signal?: AbortSignal): Error {
  const translated = translate(error, lost)
  const ours = isShardError(translated, 'ABORTED') || isShardError(translated, 'CONNECTION_LOST')
  return signal?.aborted && ours ? new AbortedError(signal.reason, translated.outcome) : translated
}
