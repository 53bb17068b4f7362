import {
  checkInteger,
  checkSignal,
  checkText,
  type Id,
  InvalidArgumentError,
  NoShardAvailableError,
  parseId,
  type ShardId,
  systemClock,
  delay as timer,
} from '@shard/core'
import type { SizeReport } from '@shard/registry'
import type { FleetView } from './fleet-view.ts'
import type { Placement, PlaceOptions, PlacerOptions, Shortage, Swap } from './placer-options.ts'
import { fillFirst, type PlacementRequest, regionAffine } from './policy.ts'
import { Settler } from './settler.ts'
import { SharedFlight } from './shared-flight.ts'

const defaultPolicy = regionAffine(fillFirst)

/**
 * Chooses the shard of each new key, and promotes a standby when the active shard is full.
 *
 * Keys are drawn from a quota that is reserved on the shard's row, in blocks, by compare-and-set: placing costs no
 * query until a block is used up or the view of the registry is `cacheTtlMs` old, and callers that need either share
 * one. A block is given only while measured bytes, and the estimate for each key reserved since, are below the
 * threshold; so with an honest estimate a shard passes it by no more than
 * processes x (quota + keys placed but not yet stored) x bytes per key.
 *
 * Promotion is a compare-and-set in the registry: of any number of placers in any number of processes one promotes,
 * the others find its choice, and one that dies half-way has promoted nothing. A shard is sealed by its measured
 * bytes only. What a process that dies has reserved is free again after the next measurement.
 */
export class Placer {
  readonly #options: PlacerOptions
  readonly #settler: Settler
  readonly #anywhere: PlacementRequest
  readonly #settling = new SharedFlight((region: string | null) =>
    this.#settler.settle(this.#requestOf(region)),
  )
  readonly #measuring = new SharedFlight(() => this.#measure())

  /** @throws InvalidArgumentError for a number out of range, or a registry of another family */
  constructor(options: PlacerOptions) {
    const { registry, settings, random = Math.random } = options
    if (registry.family !== settings.family)
      throw new InvalidArgumentError(
        `the registry is of ${registry.family}, the settings are of ${settings.family}`,
      )
    this.#options = options
    this.#anywhere = { region: null, random }
    this.#settler = new Settler({
      registry,
      policy: options.policy ?? defaultPolicy,
      bytesPerKey: checkInteger('estimatedBytesPerKey', options.estimatedBytesPerKey ?? 0, 0, 2 ** 32),
      quota: checkInteger('quota', options.quota ?? 256, 1, 1_000_000),
      cacheTtlMs: checkInteger('cacheTtlMs', options.cacheTtlMs ?? 1_000, 0, 3_600_000),
      isReachable: options.isReachable ?? (() => true),
      clock: options.clock ?? systemClock,
      delay: options.delay ?? timer,
      random,
      onShortage: (view, request) => this.#reportShortage(view, request),
      measured: () => this.#measured(),
    })
  }

  /**
   * A shard with room, and a new id on it. An id that is not used is a gap.
   * @throws NoShardAvailableError (retryable) if every active shard is at its hard threshold and none can be promoted
   * @throws BusyError (retryable) if others were faster a hundred times in a row
   * @throws AbortedError, and the registry's and the allocator's errors
   */
  async place({ signal, region }: PlaceOptions = {}): Promise<Placement> {
    if (signal) checkSignal(signal)
    const request = region === undefined ? this.#anywhere : this.#requestOf(checkText('region', region, 63))
    const shard = this.#settler.view?.draw(request) ?? (await this.#findRoom(request, signal))
    return { shard, id: this.#checked(await this.#mint(shard, signal), shard) }
  }

  /**
   * A new id on the shard where the parent lives, so that both stay together; also on a sealed shard,
   * since what is placed there must be able to grow. Asks nothing of the registry, and reserves nothing: what it
   * takes is seen by the next measurement.
   * @throws InvalidArgumentError if the parent is not an id of this codec
   */
  async placeWith(parentId: Id, { signal }: Pick<PlaceOptions, 'signal'> = {}): Promise<Placement> {
    const shard = this.#options.settings.shardOf(parseId(parentId))
    checkSignal(signal)
    return { shard, id: this.#checked(await this.#mint(shard, signal), shard) }
  }

  /**
   * Seals each shard that the report calls full and promotes the lowest standby in its place, if the
   * registry still says so; without a standby it stays active. Two callers with one report make one swap.
   * @returns the swaps that this call made
   */
  async sealFull(
    report: Pick<SizeReport, 'full'>,
    { signal }: Pick<PlaceOptions, 'signal'> = {},
  ): Promise<readonly Swap[]> {
    const swaps: Swap[] = []
    for (const id of report.full) {
      const swap = await this.#settler.seal(id, signal)
      if (swap) swaps.push(swap)
    }
    // What was read before the measurement may call a shard roomy that no longer is.
    if (report.full.length > 0) this.#settler.forget()
    return swaps
  }

  /** Has the next `place` read the registry anew: for an app that knows of a change, such as a shard out of reach. */
  forget(): void {
    this.#settler.forget()
  }

  async #findRoom(request: PlacementRequest, signal: AbortSignal | undefined): Promise<ShardId> {
    for (;;) {
      const settled = this.#settling.join(request.region, signal)
      const view = await settled.answer
      const shard = view?.draw(request) ?? null
      if (shard !== null) return shard
      const { family } = this.#options.settings
      if (view === null && settled.isShared)
        throw new NoShardAvailableError(`no shard of ${family} has room, and none can be promoted`)
    }
  }

  #mint(shard: ShardId, signal: AbortSignal | undefined): Promise<Id> {
    const { allocator, settings } = this.#options
    return allocator.wait(settings.codec, shard, { signal })
  }

  #checked(id: Id, shard: ShardId): Id {
    const { settings } = this.#options
    if (settings.locator === settings.codec || settings.shardOf(id) === shard) return id
    throw new InvalidArgumentError(`the locator would not look for an id of shard ${shard} there`)
  }

  #requestOf(region: string | null): PlacementRequest {
    return region === null ? this.#anywhere : { region, random: this.#anywhere.random }
  }

  #reportShortage(view: FleetView, request: PlacementRequest): void {
    const isUnmeasured = view.isUnmeasured(request)
    const shortage: Shortage = {
      family: this.#options.settings.family,
      reason: isUnmeasured ? 'unmeasured' : 'no-standby',
      admitting: view.choose('hard', request)?.shard.id ?? null,
      region: request.region,
    }
    if (isUnmeasured) void this.#measured()
    Promise.resolve(shortage)
      .then(this.#options.onShortage)
      .catch(() => {})
  }

  /** Joins or starts a measurement; false if the app gave no way to make one, or it failed. */
  async #measured(): Promise<boolean> {
    return (await this.#measuring.join(null, undefined).answer) ?? false
  }

  async #measure(): Promise<boolean> {
    const { measure } = this.#options
    if (!measure) return false
    try {
      await measure()
      this.#settler.forget()
      return true
    } catch {
      return false
    }
  }
}
