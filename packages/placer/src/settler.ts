import { BusyError, backoffMs, type Clock, type Delay, isShardError, type ShardId } from '@shard/core'
import { isAdmissible, isFull, type ShardRegistry } from '@shard/registry'
import { FleetView, type Slot, type ViewOptions } from './fleet-view.ts'
import type { Swap } from './placer-options.ts'
import type { PlacementRequest } from './policy.ts'
import { firstStandby, fullReason, nextPromotion, type Promotion, type PromotionAsk } from './promotion.ts'
import { type Limit, roomAt } from './room.ts'

/** What settling needs. */
export interface SettlerOptions extends ViewOptions {
  readonly registry: ShardRegistry
  readonly quota: number
  readonly cacheTtlMs: number
  readonly clock: Clock
  readonly delay: Delay
  readonly random: () => number
  /** Told when nothing can be promoted. */
  onShortage(view: FleetView, request: PlacementRequest): void
  /** Measures the shards if it can; false: it cannot. */
  measured(): Promise<boolean>
}

/** After this many lost compare-and-sets in a row something is wrong that another try does not mend. */
const MAX_LOSSES = 100

/** The waits after lost compare-and-sets. */
const waits = { baseMs: 2, capMs: 64 }

/** What a quota is divided by near a limit, where the truth should be met more often. */
const SMALL_BLOCKS = 16

/** What has come of one step. */
type Step = 'ready' | 'none' | 'again'

/** How far a settling has come. */
interface Trip {
  readonly request: PlacementRequest
  view: FleetView
  /** Was it read for this trip? */
  isNew: boolean
  hasMeasured: boolean
  /** Compare-and-sets that it has lost. */
  losses: number
}

/** The part of a placer that asks the registry: it reads, reserves and promotes until there is room, or none to be had. */
export class Settler {
  readonly #options: SettlerOptions
  #view: FleetView | null = null
  #staleAtMs = 0
  #forgotten = 0

  constructor(options: SettlerOptions) {
    this.#options = options
  }

  /** The last view, if it is still to be used. */
  get view(): FleetView | null {
    return this.#options.clock.monotonicMs() < this.#staleAtMs ? this.#view : null
  }

  /** Has the next caller read the registry. */
  forget(): void {
    this.#forgotten += 1
    this.#staleAtMs = Number.NEGATIVE_INFINITY
  }

  /** A view with a reserved key for the request; null if there is no room, and none can be made. */
  async settle(request: PlacementRequest): Promise<FleetView | null> {
    const known = this.view
    const view = known ?? (await this.#look())
    const trip = { request, view, isNew: known === null, hasMeasured: false, losses: 0 }
    for (;;) {
      const step = await this.#advance(trip)
      if (step === 'ready') return trip.view
      if (step === 'none') return null
    }
  }

  /** Seals a shard that is full by measured bytes, and gives its place to the lowest standby; null if it stays. */
  async seal(id: ShardId, signal: AbortSignal | undefined): Promise<Swap | null> {
    const { registry, random } = this.#options
    for (let losses = 0; ; ) {
      const shards = await registry.list({ signal })
      const full = shards.find((shard) => shard.id === id)
      if (!full || !isAdmissible(full) || !isFull(full)) return null
      const standby = firstStandby(shards, this.#askFor({ region: full.region, random }))
      if (!standby) return null
      const reason = fullReason(full)
      if (await this.#promote({ standby, full, beside: false, reason }, signal))
        return { sealed: id, promoted: standby.id }
      await this.#pause(++losses)
    }
  }

  async #advance(trip: Trip): Promise<Step> {
    const { request, view } = trip
    view.sort()
    const open = view.choose('admit', request)
    if (open) return this.#reserve(trip, open, 'admit')
    const hard = view.isStrained(request) ? view.choose('hard', request) : null
    if (hard) return this.#reserve(trip, hard, 'hard')
    if (!trip.isNew) return this.#renew(trip)
    const promotion = nextPromotion(view.records, this.#askFor(request))
    if (promotion) {
      if (!(await this.#promote(promotion))) await this.#pause(++trip.losses)
      return this.#renew(trip)
    }
    return this.#strain(trip)
  }

  /** Nothing can be promoted: goes on up to the hard threshold, and from there waits for a measurement if that can help. */
  async #strain(trip: Trip): Promise<Step> {
    const { request, view } = trip
    if (!view.isStrained(request)) {
      view.strain(request)
      this.#options.onShortage(view, request)
      return 'again'
    }
    if (trip.hasMeasured || !view.isUnmeasured(request)) return 'none'
    trip.hasMeasured = true
    if (!(await this.#options.measured())) return 'none'
    return this.#renew(trip)
  }

  async #reserve(trip: Trip, slot: Slot, limit: Limit): Promise<Step> {
    if (slot.left > 0) return 'ready'
    const { registry, quota, bytesPerKey } = this.#options
    const { id, version } = slot.shard
    const block = limit === 'admit' ? quota : Math.ceil(quota / SMALL_BLOCKS)
    const count = Math.min(block, roomAt(slot.shard, limit, bytesPerKey))
    if (await isApplied(registry.reserve(id, count, version))) {
      slot.reserved(count)
      trip.view.sort()
      return 'ready'
    }
    // What is read before a wait has changed after it, where many are at it.
    await this.#pause(++trip.losses)
    const record = await registry.get(id)
    if (!record) return this.#renew(trip)
    trip.view.renew(record)
    return 'again'
  }

  #promote({ standby, full, beside, reason }: Promotion, signal?: AbortSignal): Promise<boolean> {
    const { registry } = this.#options
    const note = { by: 'placer', reason, signal }
    const { id, version } = standby
    if (beside)
      return isApplied(registry.transition(id, 'standby', 'active', { ...note, expectedVersion: version }))
    return isApplied(registry.swapActive(full?.id ?? null, id, (full ?? standby).version, note))
  }

  async #renew(trip: Trip): Promise<Step> {
    trip.view = await this.#look()
    trip.isNew = true
    return 'again'
  }

  async #look(): Promise<FleetView> {
    const { registry, clock, cacheTtlMs } = this.#options
    const forgotten = this.#forgotten
    // The view is as old as the moment before the registry was asked.
    const staleAtMs = clock.monotonicMs() + cacheTtlMs
    const records = await registry.list()
    this.#view = new FleetView(records, this.#options, this.#view)
    if (forgotten === this.#forgotten) this.#staleAtMs = staleAtMs
    return this.#view
  }

  #askFor(request: PlacementRequest): PromotionAsk {
    const { policy, isReachable } = this.#options
    return { policy, isReachable, request }
  }

  async #pause(losses: number): Promise<void> {
    if (losses > MAX_LOSSES) throw new BusyError(new Error(`lost ${losses} compare-and-sets in a row`))
    const { delay, random } = this.#options
    await delay(backoffMs(losses, random, waits))
  }
}

/** Was it done? What is not known is looked up again, as what was lost is: at worst a block is reserved for nobody. */
async function isApplied(change: Promise<boolean>): Promise<boolean> {
  try {
    return await change
  } catch (error) {
    if (isShardError(error) && error.outcome === 'unknown') return false
    throw error
  }
}
