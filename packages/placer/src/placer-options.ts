import type { Clock, Delay, Id, ShardCodec, ShardId, ShardingSettings } from '@shard/core'
import type { ShardRecord, ShardRegistry } from '@shard/registry'
import type { Policy } from './policy.ts'

/** What a placer is made of. */
export interface PlacerOptions {
  readonly registry: ShardRegistry
  /** An `IdAllocator`, or anything that mints ids as it does. */
  readonly allocator: IdSource
  /** Of the same family as the registry. */
  readonly settings: ShardingSettings
  /** Which of the shards with room is taken (`regionAffine(fillFirst)`: the first, in the region that was named). */
  readonly policy?: Policy | undefined
  /** What a key will take on its shard; counted until a measurement has seen it (0). */
  readonly estimatedBytesPerKey?: number | undefined
  /** How many keys are reserved on a shard at once, 1 to 1,000,000 (256). */
  readonly quota?: number | undefined
  /** How long a view of the registry is used; an operator's seal is obeyed within this time (1,000). */
  readonly cacheTtlMs?: number | undefined
  /** Told when no shard is below its admission threshold and none can be promoted. What it throws is ignored. */
  readonly onShortage?: ((shortage: Shortage) => unknown) | undefined
  /**
   * Measures the shards, such as `() => refreshSizes(executor, registry)`; called when only estimates say that they
   * are full, one call at a time. What it throws is ignored.
   */
  readonly measure?: (() => Promise<unknown>) | undefined
  /**
   * Can this process reach the shard (yes)? One that it cannot is neither chosen nor promoted, and while no active
   * shard can be reached the next standby becomes active beside them. Asked whenever the registry is read.
   */
  readonly isReachable?: ((shard: ShardRecord) => boolean) | undefined
  /** Its monotonic side times the cache. */
  readonly clock?: Clock | undefined
  /** Waits after a lost compare-and-set (a timer). */
  readonly delay?: Delay | undefined
  /** Spreads those waits, and draws for the policy; from 0 up to, but not, 1 (`Math.random`). */
  readonly random?: (() => number) | undefined
}

/** Where ids come from: the part of `IdAllocator` that is used. */
export interface IdSource {
  wait(codec: ShardCodec, shard: ShardId, options: { signal?: AbortSignal | undefined }): Promise<Id>
}

/** How a key is placed. */
export interface PlaceOptions {
  readonly signal?: AbortSignal | undefined
  /** Where the key had better live; what that means is the policy's business. */
  readonly region?: string | undefined
}

/** A new key's home. */
export interface Placement {
  readonly shard: ShardId
  readonly id: Id
}

/** Why the placer cannot promote a shard, and where it still admits; null: nowhere. */
export interface Shortage {
  readonly family: string
  /** `unmeasured`: only estimates say that the active shards are full, so they need to be measured. */
  readonly reason: 'no-standby' | 'unmeasured'
  readonly admitting: ShardId | null
  /** That was asked for; null: none was. */
  readonly region: string | null
}

/** A shard that was sealed and the one that took over. */
export interface Swap {
  readonly sealed: ShardId
  readonly promoted: ShardId
}
