import { checkInteger } from '../argument.ts'
import { InvalidArgumentError } from '../errors.ts'
import type { Executor } from '../executor.ts'
import type { ShardId } from '../id.ts'
import { type OrderBy, type OrderTerm, orderTerms } from './order.ts'

/** Which shards are asked, and how patiently; every field has a default. */
export interface AskOptions {
  /** Which shards (all that the executor knows). */
  readonly shards?: readonly ShardId[]
  /** How many shards are asked at once (16). */
  readonly concurrency?: number
  /** How long one shard may take for one answer (30,000). */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal | undefined
  /**
   * Allows a statement whose words show that it speaks of more than single rows (DISTINCT, GROUP BY, HAVING,
   * UNION, LIMIT, an aggregate, a window function): each shard answers it for its own rows alone.
   */
  readonly perShard?: boolean
}

/** What is asked, and what of a failure. */
export interface FanOutOptions extends AskOptions {
  /** The merged order; without it rows come shard by shard. */
  readonly orderBy?: readonly OrderBy[]
  readonly limit?: number
  /** Not together with `after`. */
  readonly offset?: number
  /** The cursor of the page before. The last column of the order must be unique, such as an id. */
  readonly after?: string | null | undefined
  /** `throw` (the default): an incomplete answer is an error. `partial`: it names the shards that failed. */
  readonly onFailure?: 'throw' | 'partial'
  /** More rows than this from all shards together are an error (100,000). */
  readonly maxRows?: number
}

/** Checked options of any question to many shards. */
export interface Asking {
  readonly shards: readonly ShardId[]
  readonly concurrency: number
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  readonly perShard: boolean
}

/** Checked options of a fan-out. */
export interface FanOutPlan extends Asking {
  readonly terms: readonly OrderTerm[]
  readonly limit: number | null
  readonly offset: number
  readonly after: string | null
  readonly onFailure: 'throw' | 'partial'
  readonly maxRows: number
}

const MAX_ROWS = 2 ** 31

/** @throws InvalidArgumentError */
export function askingOf(executor: Executor, options: AskOptions): Asking {
  const shards = [...new Set(options.shards ?? executor.shardIds())]
  for (const shard of shards) checkInteger('a shard number', shard, 0, 2 ** 24 - 1)
  if (shards.length === 0) throw new InvalidArgumentError('a fan-out needs at least one shard')
  const { perShard = false } = options
  if (typeof perShard !== 'boolean') throw new InvalidArgumentError('perShard is true or false')
  return {
    shards: shards.sort((a, b) => a - b),
    concurrency: checkInteger('concurrency', options.concurrency ?? 16, 1, 10_000),
    timeoutMs: checkInteger('timeoutMs', options.timeoutMs ?? 30_000, 1, 2 ** 31 - 1),
    signal: options.signal,
    perShard,
  }
}

/** @throws InvalidArgumentError */
export function planOf(executor: Executor, options: FanOutOptions): FanOutPlan {
  const { onFailure = 'throw', after = null } = options
  if (onFailure !== 'throw' && onFailure !== 'partial')
    throw new InvalidArgumentError('onFailure is throw or partial')
  const plan: FanOutPlan = {
    ...askingOf(executor, options),
    terms: orderTerms(options.orderBy ?? []),
    limit: options.limit === undefined ? null : checkInteger('limit', options.limit, 0, MAX_ROWS),
    offset: checkInteger('offset', options.offset ?? 0, 0, MAX_ROWS),
    after,
    onFailure,
    maxRows: checkInteger('maxRows', options.maxRows ?? 100_000, 1, MAX_ROWS),
  }
  if (plan.after !== null && typeof plan.after !== 'string')
    throw new InvalidArgumentError('after is a cursor')
  if (plan.after !== null && options.offset !== undefined) {
    throw new InvalidArgumentError('a page after a cursor takes no offset')
  }
  if (plan.after !== null && plan.terms.length === 0)
    throw new InvalidArgumentError('a cursor needs an order')
  return plan
}
