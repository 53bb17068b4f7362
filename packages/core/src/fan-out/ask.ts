import { AbortedError, TimeoutError } from '../driver-errors.ts'
import { IncompleteFanOutError, isShardError, type ShardError } from '../errors.ts'
import type { Executor, StatementSource } from '../executor.ts'
import type { ShardId } from '../id.ts'

/** A shard that gave no answer. */
export interface ShardFailure {
  readonly shard: ShardId
  readonly error: unknown
}

/** What one shard said. */
export type Answer<Row> = { readonly shard: ShardId; readonly rows: readonly Row[] } | ShardFailure

/** How long a shard is waited for, and by whom. */
export interface Patience {
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
}

/** Asks one shard. Never rejects: what goes wrong there is its answer. */
export async function askShard<Row>(
  executor: Executor,
  statement: StatementSource,
  shard: ShardId,
  { timeoutMs, signal }: Patience,
): Promise<Answer<Row>> {
  if (signal?.aborted) return { shard, error: new AbortedError(signal.reason) }
  const cancelling = new AbortController()
  let cancel = (_: Error): void => {}
  // A shard that does not heed its signal is not waited for.
  const cancelled = new Promise<never>((_, reject) => {
    cancel = (error) => {
      cancelling.abort(error)
      reject(error)
    }
  })
  const timer = setTimeout(() => {
    const cause = new Error(`shard ${shard} gave no answer within ${timeoutMs} ms`)
    cancel(new TimeoutError(cause, 'not-applied'))
  }, timeoutMs)
  const abort = (): void => cancel(new AbortedError(signal?.reason))
  signal?.addEventListener('abort', abort, { once: true })
  try {
    const call = executor.execute<Row>(statement, { route: { shard }, signal: cancelling.signal })
    return { shard, rows: (await Promise.race([cancelled, call])).rows }
  } catch (error) {
    return { shard, error }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', abort)
  }
}

/** Runs `work` for each item, at most `limit` at once; the results stand in the items' order. */
export async function eachOf<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  const queue = items.entries()
  const worker = async (): Promise<void> => {
    for (const [i, item] of queue) results[i] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  return results
}

const unavailableCodes: ReadonlySet<string> = new Set(['UNKNOWN_SHARD', 'CONNECTION_LOST', 'BUSY', 'CLOSED'])

/** The error that names every shard that gave no answer; the first refusal of a question that no retry mends. */
export function incomplete(failures: readonly ShardFailure[]): ShardError {
  const refused = failures.map(({ error }) => error).find((error) => isShardError(error, 'INVALID_ARGUMENT'))
  if (refused) return refused
  const groups = { failed: [] as ShardId[], timedOut: [] as ShardId[], unavailable: [] as ShardId[] }
  for (const { shard, error } of failures) {
    const code = isShardError(error) ? error.code : ''
    groups[code === 'TIMEOUT' ? 'timedOut' : unavailableCodes.has(code) ? 'unavailable' : 'failed'].push(
      shard,
    )
  }
  return new IncompleteFanOutError(groups, failures[0]?.error)
}
