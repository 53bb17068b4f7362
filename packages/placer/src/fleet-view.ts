import type { ShardId } from '@shard/core'
import { fillRatio, isAdmissible, isFull, type ShardRecord } from '@shard/registry'
import type { Candidate, PlacementRequest, Policy } from './policy.ts'
import { type Limit, reservedBytes, roomAt, thresholdAt } from './room.ts'

/** How the shards are looked at. */
export interface ViewOptions {
  readonly policy: Policy
  readonly bytesPerKey: number
  readonly isReachable: (shard: ShardRecord) => boolean
}

/** An active shard, and the keys on it that this process has reserved and not used. */
export class Slot implements Candidate {
  #shard: ShardRecord
  #fill: number
  readonly #bytesPerKey: number
  left = 0
  placed = 0

  constructor(shard: ShardRecord, bytesPerKey: number) {
    this.#shard = shard
    this.#bytesPerKey = bytesPerKey
    this.#fill = fillRatio(shard, reservedBytes(shard, bytesPerKey))
  }

  get shard(): ShardRecord {
    return this.#shard
  }

  get fill(): number {
    return this.#fill
  }

  /** Is there anything to be had, reserved or to be reserved? */
  isBelow(limit: Limit): boolean {
    if (roomAt(this.#shard, limit, this.#bytesPerKey) > 0) return true
    return this.left > 0 && fillRatio(this.#shard) < thresholdAt(this.#shard, limit)
  }

  /** The registry has another record by now. */
  renew(shard: ShardRecord): void {
    this.#shard = shard
    this.#fill = fillRatio(shard, reservedBytes(shard, this.#bytesPerKey))
  }

  /** A reservation was made at the version of the record: nobody else has changed it. */
  reserved(count: number): void {
    const { reservedKeys, reservedEver, version } = this.#shard
    const keys = BigInt(count)
    this.renew({
      ...this.#shard,
      reservedKeys: reservedKeys + keys,
      reservedEver: reservedEver + keys,
      version: version + 1n,
    })
    this.left += count
  }
}

/** The registry as it was read at one moment, and what this process has reserved in it. */
export class FleetView {
  readonly #options: ViewOptions
  readonly #records: Map<ShardId, ShardRecord>
  readonly #slots = new Map<ShardId, Slot>()
  readonly #strained = new Set<string | null>()
  #open: readonly Slot[] = []
  #hard: readonly Slot[] = []

  /** Keeps what is left of the reservations on shards that are still active. */
  constructor(records: readonly ShardRecord[], options: ViewOptions, earlier: FleetView | null) {
    this.#options = options
    this.#records = new Map(records.map((record) => [record.id, record]))
    for (const record of records) {
      if (!isAdmissible(record) || !options.isReachable(record)) continue
      const slot = earlier?.slotOf(record.id) ?? new Slot(record, options.bytesPerKey)
      slot.renew(record)
      this.#slots.set(record.id, slot)
    }
    this.sort()
  }

  get records(): readonly ShardRecord[] {
    return [...this.#records.values()]
  }

  /** The shard's slot, if it is active and can be reached. */
  slotOf(id: ShardId): Slot | undefined {
    return this.#slots.get(id)
  }

  /** Takes a reserved key from the shard that the policy chooses; null if none is reserved there. */
  draw(request: PlacementRequest): ShardId | null {
    const slot =
      this.choose('admit', request) ?? (this.isStrained(request) ? this.choose('hard', request) : null)
    if (slot === null || slot.left === 0) return null
    slot.left -= 1
    slot.placed += 1
    return slot.shard.id
  }

  choose(limit: Limit, request: PlacementRequest): Slot | null {
    return this.#options.policy.choose(limit === 'admit' ? this.#open : this.#hard, request)
  }

  /** Looks again at which shards have room. */
  sort(): void {
    const slots = [...this.#slots.values()]
    this.#open = slots.filter((slot) => slot.isBelow('admit'))
    this.#hard = slots.filter((slot) => slot.isBelow('hard'))
  }

  /** Takes in what the registry says of one shard now. */
  renew(record: ShardRecord): void {
    this.#records.set(record.id, record)
    if (isAdmissible(record)) this.#slots.get(record.id)?.renew(record)
    else this.#slots.delete(record.id)
    this.sort()
  }

  /** Nothing could be promoted for such requests: they are admitted up to the hard threshold. */
  isStrained({ region }: PlacementRequest): boolean {
    return this.#strained.has(region)
  }

  strain({ region }: PlacementRequest): void {
    this.#strained.add(region)
  }

  /** Do only estimates say that the shards which may serve are full? */
  isUnmeasured(request: PlacementRequest): boolean {
    const { policy } = this.#options
    const serving = [...this.#slots.values()].filter(({ shard }) => policy.serves?.(shard, request) ?? true)
    return serving.length > 0 && !serving.some(({ shard }) => isFull(shard))
  }
}
