import { checkInteger, checkSignal } from './argument.ts'
import { AbortedError, TimeoutError } from './driver-errors.ts'
import { IncompleteFanOutError, InvalidArgumentError, isShardError } from './errors.ts'
import type { Executor, StatementSource } from './executor.ts'
import { compareRows, type OrderBy, orderTerms } from './fan-out-order.ts'
import { shardStatement } from './fan-out-statement.ts'
import type { ShardId } from './id.ts'
import { statementFor } from './statement.ts'

/** How a statement is asked of many shards; every field has a default. */
export interface FanOutOptions {
  /** Which shards (all that the executor knows). */
  readonly shards?: readonly ShardId[]
  /** The merged order; without it rows come shard by shard. */
  readonly orderBy?: readonly OrderBy[]
  readonly limit?: number
  readonly offset?: number
  /** How many shards are asked at once (16). */
  readonly concurrency?: number
  /** How long one shard may take (30,000). */
  readonly timeoutMs?: number
  /** `throw` (the default): an incomplete answer is an error. `partial`: it names the shards that failed. */
  readonly onFailure?: 'throw' | 'partial'
  /** More rows than this from all shards together are an error (100,000). */
  readonly maxRows?: number
  readonly signal?: AbortSignal | undefined
}

/** A shard that gave no answer. */
export interface ShardFailure {
  readonly shard: ShardId
  readonly error: unknown
}

/** The merged rows, the shards that answered, ascending, and those that did not. */
export interface FanOutResult<Row> {
  readonly rows: readonly Row[]
  readonly shards: readonly ShardId[]
  readonly failures: readonly ShardFailure[]
}

type Answer<Row> = { shard: ShardId; rows: readonly Row[] } | ShardFailure

/**
 * Asks many shards and merges the rows as one table would give them: text sorts by its UTF-8 bytes,
 * integers by value. The statement carries no ORDER BY or LIMIT of its own. Every shard is asked, also
 * after one has failed, so that an error names all that are broken. The shards are not read at one instant.
 * @throws IncompleteFanOutError (retryable) if a shard gave no answer, or under `partial` if none did
 */
export async function fanOut<Row extends Record<string, unknown>>(
  executor: Executor,
  source: StatementSource,
  options: FanOutOptions = {},
): Promise<FanOutResult<Row>> {
  const { signal, onFailure = 'throw' } = options
  const terms = orderTerms(options.orderBy ?? [])
  const maxRows = checkInteger('maxRows', options.maxRows ?? 100_000, 1, 2 ** 31)
  const offset = checkInteger('offset', options.offset ?? 0, 0, 2 ** 31)
  const limit = options.limit === undefined ? null : checkInteger('limit', options.limit, 0, 2 ** 31)
  const timeoutMs = checkInteger('timeoutMs', options.timeoutMs ?? 30_000, 1, 2 ** 31 - 1)
  const concurrency = checkInteger('concurrency', options.concurrency ?? 16, 1, 10_000)
  const shards = [...new Set(options.shards ?? executor.shardIds())].sort((a, b) => a - b)
  if (shards.length === 0) throw new InvalidArgumentError('a fan-out needs at least one shard')
  const perShard = limit === null ? maxRows + 1 : Math.min(limit + offset, maxRows + 1)
  const ask: StatementSource = (dialect) =>
    shardStatement(statementFor(source, dialect), dialect, terms, perShard)

  checkSignal(signal)
  const answers = await eachOf(shards, concurrency, (shard) =>
    askShard<Row>(executor, ask, shard, timeoutMs, signal),
  )
  checkSignal(signal)
  const failures = answers.filter((answer) => 'error' in answer)
  const answered = answers.filter((answer) => 'rows' in answer)
  if (failures.length > 0 && (onFailure === 'throw' || answered.length === 0)) throw incomplete(failures)

  const rows = answered.flatMap((answer) => answer.rows)
  if (rows.length > maxRows)
    throw new InvalidArgumentError(`more than ${maxRows} rows: set a limit, or raise maxRows`)
  // The sort is stable, so rows that tie stand in the order of their shards.
  if (terms.length > 0) rows.sort(compareRows(terms))
  return {
    rows: rows.slice(offset, limit === null ? undefined : offset + limit),
    shards: answered.map((answer) => answer.shard),
    failures,
  }
}

/** Never rejects: what goes wrong on a shard is its answer. */
async function askShard<Row>(
  executor: Executor,
  statement: StatementSource,
  shard: ShardId,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<Answer<Row>> {
  const cancel = new AbortController()
  const timeout = new TimeoutError(
    new Error(`shard ${shard} gave no answer within ${timeoutMs} ms`),
    'not-applied',
  )
  const timer = setTimeout(() => cancel.abort(timeout), timeoutMs)
  const abort = (): void => cancel.abort(new AbortedError(signal?.reason))
  signal?.addEventListener('abort', abort, { once: true })
  // A shard that does not heed its signal is not waited for.
  const cancelled = new Promise<never>((_, reject) => {
    cancel.signal.addEventListener('abort', () => reject(cancel.signal.reason), { once: true })
  })
  try {
    const call = executor.execute<Row>(statement, { route: { shard }, signal: cancel.signal })
    return { shard, rows: (await Promise.race([cancelled, call])).rows }
  } catch (error) {
    return { shard, error }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/** Runs `work` for each item, at most `limit` at once; the results stand in the items' order. */
async function eachOf<T, R>(items: readonly T[], limit: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const queue = items.entries()
  const worker = async (): Promise<void> => {
    for (const [i, item] of queue) results[i] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  return results
}

const unavailableCodes: ReadonlySet<string> = new Set(['UNKNOWN_SHARD', 'CONNECTION_LOST', 'BUSY', 'CLOSED'])

function incomplete(failures: readonly ShardFailure[]): IncompleteFanOutError {
  const groups = { failed: [] as ShardId[], timedOut: [] as ShardId[], unavailable: [] as ShardId[] }
  for (const { shard, error } of failures) {
    const code = isShardError(error) ? error.code : ''
    groups[code === 'TIMEOUT' ? 'timedOut' : unavailableCodes.has(code) ? 'unavailable' : 'failed'].push(
      shard,
    )
  }
  return new IncompleteFanOutError(groups, failures[0]?.error)
}
