import type { ShardId } from '@shard/core'
import { fillRatio, isAdmissible, isFull, type ShardRecord } from '@shard/registry'
import type { PlacementRequest, Policy } from './policy.ts'

/** A standby that is to become active, and what for. */
export interface Promotion {
  readonly standby: ShardRecord
  /** The shard that it takes over from, which is sealed; null if it takes over from none. */
  readonly full: ShardRecord | null
  /** It begins although others are active, since none of them can serve. */
  readonly beside: boolean
  readonly reason: string
}

/** What a promotion is chosen by. */
export interface PromotionAsk {
  readonly policy: Policy
  readonly request: PlacementRequest
  /** Can this process reach the shard? */
  readonly isReachable: (shard: ShardRecord) => boolean
}

/**
 * What makes room when no active shard that may serve has any: the first of them that is full by measured bytes
 * gives way to the lowest standby. Without an active shard the standby simply begins; so it does beside active
 * shards of which none may serve, or none can be reached. Null without a standby, or while only estimates say that
 * the active shards are full.
 */
export function nextPromotion(shards: readonly ShardRecord[], ask: PromotionAsk): Promotion | null {
  const { policy, request, isReachable } = ask
  const active = shards.filter(isAdmissible)
  const serving = active.filter((shard) => policy.serves?.(shard, request) ?? true)
  const full = serving.find(isFull) ?? null
  if (full === null && serving.some(isReachable)) return null
  const standby = firstStandby(shards, ask)
  if (standby === null) return null
  if (full) return { standby, full, beside: false, reason: fullReason(full) }
  if (active.length === 0) return { standby, full, beside: false, reason: 'no shard was active' }
  return { standby, full, beside: true, reason: besideReason(serving, request) }
}

/**
 * The standby that is next: one that may serve, has room, can be reached, and whose schema is not behind that of any
 * active shard; of these the lowest, one in the region that is asked for before all others.
 */
export function firstStandby(shards: readonly ShardRecord[], ask: PromotionAsk): ShardRecord | null {
  const { policy, request, isReachable } = ask
  const active = shards.filter(isAdmissible)
  const isReady = (shard: ShardRecord): boolean =>
    shard.status === 'standby' &&
    !isFull(shard) &&
    active.every(({ schemaVersion }) => shard.schemaVersion >= schemaVersion) &&
    (policy.serves?.(shard, request) ?? true) &&
    isReachable(shard)
  const ready = shards.filter(isReady)
  const near = request.region === null ? undefined : ready.find(({ region }) => region === request.region)
  return near ?? ready[0] ?? null
}

/** Why a shard is sealed, for its history. */
export function fullReason({ id, ...shard }: ShardRecord): string {
  return `full: ${shard.sizeBytes} of ${shard.maxBytes} bytes, ${fillRatio(shard).toFixed(3)} of its limit`
}

function besideReason(serving: readonly ShardRecord[], { region }: PlacementRequest): string {
  if (serving.length === 0) return `no shard of region ${region} was active`.slice(0, 1_000)
  return `cannot be reached: shard ${numbers(serving)}`.slice(0, 1_000)
}

function numbers(shards: readonly { readonly id: ShardId }[]): string {
  return shards.map(({ id }) => id).join(', ')
}
