import type { CallOptions, Executor, Route } from './executor.ts'
import type { ShardId } from './id.ts'

/** A resolved route: a shard's number, or the global database. */
export type Place = ShardId | 'global'

/** An executor that can say where a route leads; a decorator around it can, too. */
export interface Places {
  /** True if routing keys are ids and nothing else, so that the hash of a text is none; see `ShardLocator`. */
  readonly idsOnly?: boolean
  placeOf(route: Route | undefined): Place
}

/** Where a call on `executor` goes; whatever is not sharded is one place. Errors as its `placeOf`. */
export function placeOf(executor: Executor & Partial<Places>, options: CallOptions = {}): Place {
  return executor.placeOf?.(options.route) ?? 'global'
}
