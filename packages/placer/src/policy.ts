import { acceptsAdmission, fillRatio, isAdmissible, isFull, type ShardRecord } from '@shard/registry'

/** How far a shard may be filled: to where it is sealed, or to where it stops without a standby. */
export type Limit = 'admit' | 'hard'

/** A shard to seal, if there is one, and the standby that takes over. */
export interface Promotion {
  readonly full: ShardRecord | null
  readonly standby: ShardRecord
}

/**
 * Fill-first: the first shard in the list that is active and below the limit, with the bytes on their
 * way counted in; null if none is. A hard threshold below the admission threshold has no effect.
 */
export function fillFirst(
  shards: readonly ShardRecord[],
  limit: Limit,
  pendingBytes: (shard: ShardRecord) => bigint,
): ShardRecord | null {
  const found = shards.find((shard) => {
    const { admitThreshold, hardThreshold } = shard
    const threshold = limit === 'admit' ? admitThreshold : Math.max(admitThreshold, hardThreshold)
    return acceptsAdmission(shard, { pendingBytes: pendingBytes(shard), threshold })
  })
  return found ?? null
}

/**
 * What makes room when no active shard has any: the first active shard that is full by measured bytes
 * gives way to the first standby; without an active shard the standby simply begins. Null without a
 * standby, or while only estimates say that the active shards are full.
 */
export function nextPromotion(shards: readonly ShardRecord[]): Promotion | null {
  const active = shards.filter(isAdmissible)
  const full = active.find(isFull) ?? null
  if (active.length > 0 && full === null) return null
  const standby = firstStandby(shards)
  return standby && { full, standby }
}

/** The first standby that has room and whose schema is not behind that of any active shard. */
export function firstStandby(shards: readonly ShardRecord[]): ShardRecord | null {
  const active = shards.filter(isAdmissible)
  const ready = ({ schemaVersion }: ShardRecord): boolean =>
    active.every((shard) => schemaVersion >= shard.schemaVersion)
  return shards.find((shard) => shard.status === 'standby' && !isFull(shard) && ready(shard)) ?? null
}

/** Why a shard is sealed, for its history. */
export function fullReason(shard: ShardRecord): string {
  return `full: ${shard.sizeBytes} of ${shard.maxBytes} bytes, ${fillRatio(shard).toFixed(3)} of its limit`
}
