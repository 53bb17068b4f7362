import type { ShardId } from '@shard/core'
import type { ShardRecord } from '@shard/registry'

interface Count {
  measuredAtMs: number | null
  /** Keys placed before the last look at the registry, and since. */
  earlier: number
  recent: number
}

/** Estimates the bytes of the keys that this process has placed and that no measurement has seen yet. */
export class Tally {
  readonly #bytesPerKey: number
  readonly #counts = new Map<ShardId, Count>()

  constructor(bytesPerKey: number) {
    this.#bytesPerKey = bytesPerKey
  }

  /** Counts a key. */
  add(shard: ShardId): void {
    if (this.#bytesPerKey === 0) return
    const count = this.#counts.get(shard)
    if (count) count.recent += 1
    else this.#counts.set(shard, { measuredAtMs: null, earlier: 0, recent: 1 })
  }

  /** Takes in what the registry says. A new measurement drops only what it is sure to have seen. */
  renew(shards: readonly ShardRecord[]): void {
    for (const { id, lastSizeCheckAtMs } of shards) {
      const count = this.#counts.get(id)
      if (!count) continue
      count.earlier = (count.measuredAtMs === lastSizeCheckAtMs ? count.earlier : 0) + count.recent
      count.recent = 0
      count.measuredAtMs = lastSizeCheckAtMs
    }
  }

  pendingBytes({ id }: ShardRecord): bigint {
    const count = this.#counts.get(id)
    return count ? BigInt((count.earlier + count.recent) * this.#bytesPerKey) : 0n
  }
}
