import {
  type Clock,
  checkInteger,
  checkSignal,
  type Id,
  InvalidArgumentError,
  NoShardAvailableError,
  parseId,
  type ShardCodec,
  type ShardId,
  type ShardingSettings,
  systemClock,
} from '@shard/core'
import { isAdmissible, isFull, type ShardRecord, type ShardRegistry, type SizeReport } from '@shard/registry'
import { fillFirst, firstStandby, fullReason, type Limit, nextPromotion, type Promotion } from './policy.ts'
import { SharedFlight } from './shared-flight.ts'
import { Tally } from './tally.ts'

/** What a placer is made of. */
export interface PlacerOptions {
  readonly registry: ShardRegistry
  /** An `IdAllocator`, or anything that mints ids as it does. */
  readonly allocator: IdSource
  /** Of the same family as the registry. */
  readonly settings: ShardingSettings
  /** What a key will take on its shard; counted until a measurement has seen it (0). */
  readonly estimatedBytesPerKey?: number | undefined
  /** How long a view of the registry is used; an operator's seal is obeyed within this time (1,000). */
  readonly cacheTtlMs?: number | undefined
  /** Told when no shard is below its admission threshold and none can be promoted. What it throws is ignored. */
  readonly onShortage?: ((shortage: Shortage) => unknown) | undefined
  /** Its monotonic side times the cache. */
  readonly clock?: Clock | undefined
}

/** Where ids come from: the part of `IdAllocator` that is used. */
export interface IdSource {
  wait(codec: ShardCodec, shard: ShardId, options: { signal?: AbortSignal | undefined }): Promise<Id>
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
}

/** A shard that was sealed and the one that took over. */
export interface Swap {
  readonly sealed: ShardId
  readonly promoted: ShardId
}

/** The registry as it was read at one moment. */
interface View {
  readonly shards: readonly ShardRecord[]
  readonly active: readonly ShardRecord[]
  readonly staleAtMs: number
  /** Nothing could be promoted: admit up to the hard threshold. */
  strained: boolean
}

/** After this many lost compare-and-sets in a row the placer makes do with what is active. */
const MAX_LOSSES = 16

/**
 * Chooses the shard of each new key, and promotes a standby when the active shard is full.
 *
 * The choice costs no query while the view of the registry is fresh; callers that need a new view share
 * one reading. Promotion is a compare-and-set in the registry: of any number of placers in any number of
 * processes one promotes, the others find its choice, and one that dies half-way has promoted nothing.
 * A shard is sealed by its measured bytes only; between two measurements all processes together may
 * place more than fits, up to what they can in that time.
 */
export class Placer {
  readonly #registry: ShardRegistry
  readonly #allocator: IdSource
  readonly #settings: ShardingSettings
  readonly #cacheTtlMs: number
  readonly #onShortage: PlacerOptions['onShortage']
  readonly #clock: Clock
  readonly #tally: Tally
  readonly #settling = new SharedFlight(() => this.#settle())
  #view: View | null = null

  /** @throws InvalidArgumentError for a number out of range, or a registry of another family */
  constructor(options: PlacerOptions) {
    const { registry, settings } = options
    if (registry.family !== settings.family)
      throw new InvalidArgumentError(
        `the registry is of ${registry.family}, the settings are of ${settings.family}`,
      )
    this.#registry = registry
    this.#allocator = options.allocator
    this.#settings = settings
    this.#cacheTtlMs = checkInteger('cacheTtlMs', options.cacheTtlMs ?? 1_000, 0, 3_600_000)
    this.#onShortage = options.onShortage
    this.#clock = options.clock ?? systemClock
    this.#tally = new Tally(
      checkInteger('estimatedBytesPerKey', options.estimatedBytesPerKey ?? 0, 0, 2 ** 32),
    )
  }

  /**
   * A shard with room, and a new id on it. Nothing is reserved: an id that is not used is a gap.
   * @throws NoShardAvailableError (retryable) if every active shard is at its hard threshold and none can be promoted
   * @throws AbortedError, and the registry's and the allocator's errors
   */
  async place({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<Placement> {
    checkSignal(signal)
    const shard = this.#knownRoom() ?? (await this.#findRoom(signal))
    return this.#mint(shard, signal)
  }

  /**
   * A new id on the shard where the parent lives, so that both stay together; also on a sealed shard,
   * since what is placed there must be able to grow. Asks nothing of the registry.
   * @throws InvalidArgumentError if the parent is not an id of this codec
   */
  async placeWith(parentId: Id, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<Placement> {
    const shard = this.#settings.shardOf(parseId(parentId))
    checkSignal(signal)
    return this.#mint(shard, signal)
  }

  /**
   * Seals each shard that the report calls full and promotes the lowest standby in its place, if the
   * registry still says so; without a standby it stays active. Two callers with one report make one swap.
   * @returns the swaps that this call made
   */
  async sealFull(
    report: Pick<SizeReport, 'full'>,
    { signal }: { signal?: AbortSignal | undefined } = {},
  ): Promise<readonly Swap[]> {
    const swaps: Swap[] = []
    // What was read before the measurement may call a shard roomy that no longer is.
    if (report.full.length > 0) this.#view = null
    for (const id of report.full) {
      const swap = await this.#sealOne(id, signal)
      if (swap) swaps.push(swap)
    }
    return swaps
  }

  async #mint(shard: ShardId, signal: AbortSignal | undefined): Promise<Placement> {
    this.#tally.add(shard)
    return { shard, id: await this.#allocator.wait(this.#settings.codec, shard, { signal }) }
  }

  #knownRoom(): ShardId | null {
    const view = this.#view
    if (view === null || this.#clock.monotonicMs() >= view.staleAtMs) return null
    return this.#choose(view, 'admit') ?? (view.strained ? this.#choose(view, 'hard') : null)
  }

  async #findRoom(signal: AbortSignal | undefined): Promise<ShardId> {
    const view = await this.#settling.join(signal)
    // Those who shared the reading may have filled the shard up to its threshold meanwhile.
    const shard = this.#choose(view, 'admit') ?? this.#choose(view, 'hard')
    if (shard !== null) return shard
    throw new NoShardAvailableError(`no shard of ${this.#settings.family} has room, and none can be promoted`)
  }

  #choose({ active }: View, limit: Limit): ShardId | null {
    return fillFirst(active, limit, (shard) => this.#tally.pendingBytes(shard))?.id ?? null
  }

  /** Reads the registry, and promotes until a shard has room or none can be promoted. */
  async #settle(): Promise<View> {
    for (let losses = 0; ; ) {
      const view = await this.#look()
      if (this.#choose(view, 'admit') !== null) return view
      const promotion = losses < MAX_LOSSES ? nextPromotion(view.shards) : null
      if (promotion === null) {
        view.strained = true
        this.#reportShortage(view)
        return view
      }
      if (!(await this.#swap(promotion))) losses++
    }
  }

  async #look(): Promise<View> {
    // The view is as old as the moment before the registry was asked.
    const staleAtMs = this.#clock.monotonicMs() + this.#cacheTtlMs
    const shards = await this.#registry.list()
    this.#tally.renew(shards)
    this.#view = { shards, active: shards.filter(isAdmissible), staleAtMs, strained: false }
    return this.#view
  }

  async #sealOne(id: ShardId, signal: AbortSignal | undefined): Promise<Swap | null> {
    for (let losses = 0; losses < MAX_LOSSES; losses++) {
      const shards = await this.#registry.list({ signal })
      const full = shards.find((shard) => shard.id === id)
      if (!full || !isAdmissible(full) || !isFull(full)) return null
      const standby = firstStandby(shards)
      if (!standby) return null
      if (await this.#swap({ full, standby }, signal)) {
        this.#view = null
        return { sealed: id, promoted: standby.id }
      }
    }
    return null
  }

  #swap({ full, standby }: Promotion, signal?: AbortSignal): Promise<boolean> {
    const reason = full ? fullReason(full) : 'no shard was active'
    const { version } = full ?? standby
    return this.#registry.swapActive(full?.id ?? null, standby.id, version, { by: 'placer', reason, signal })
  }

  #reportShortage(view: View): void {
    const { active } = view
    const reason = active.length > 0 && !active.some(isFull) ? 'unmeasured' : 'no-standby'
    const shortage: Shortage = {
      family: this.#settings.family,
      reason,
      admitting: this.#choose(view, 'hard'),
    }
    Promise.resolve(shortage)
      .then(this.#onShortage)
      .catch(() => {})
  }
}
