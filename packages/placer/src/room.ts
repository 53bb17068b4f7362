import { acceptsAdmission, isAdmissible, type ShardRecord } from '@shard/registry'

/** How far a shard may be filled: to where it is sealed, or to where it stops without a standby. */
export type Limit = 'admit' | 'hard'

/** The fill ratio at a limit. A hard threshold below the admission threshold has no effect. */
export function thresholdAt({ admitThreshold, hardThreshold }: ShardRecord, limit: Limit): number {
  return limit === 'admit' ? admitThreshold : Math.max(admitThreshold, hardThreshold)
}

/** What the keys that are reserved and not yet measured will take. */
export function reservedBytes({ reservedKeys }: ShardRecord, bytesPerKey: number): bigint {
  return reservedKeys * BigInt(bytesPerKey)
}

/**
 * How many more keys may be reserved, so that the last of them still finds the fill below the limit: measured bytes,
 * and the estimate for each key that is reserved. Infinity without a limit or an estimate; 0 unless active.
 */
export function roomAt(shard: ShardRecord, limit: Limit, bytesPerKey: number): number {
  const threshold = thresholdAt(shard, limit)
  const pendingBytes = reservedBytes(shard, bytesPerKey)
  if (!isAdmissible(shard) || !acceptsAdmission(shard, { pendingBytes, threshold })) return 0
  if (shard.maxBytes === null || bytesPerKey === 0) return Number.POSITIVE_INFINITY
  const leftBytes = threshold * Number(shard.maxBytes) - Number(shard.sizeBytes + pendingBytes)
  return Math.max(1, Math.ceil(leftBytes / bytesPerKey))
}
