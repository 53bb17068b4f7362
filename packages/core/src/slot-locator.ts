import { checkBigint, checkInteger, show } from './argument.ts'
import { InvalidArgumentError } from './errors.ts'
import { HashLocator } from './hash-locator.ts'
import { MAX_ID, MAX_SHARD, type RoutingKey, type ShardId } from './id.ts'
import type { ShardLocator } from './locator.ts'

/** A map of slots at one version. */
export interface SlotMap {
  /** The shard of each slot, 1 to 65,536 of them. */
  readonly slots: ArrayLike<ShardId>
  /** From 1 on; a larger one replaces a smaller one. */
  readonly version: bigint
}

/**
 * Hashes keys into a fixed number of slots, and looks the slot's shard up in a map: shards can be added without
 * moving every key. It never changes; `withSlots` makes another one.
 */
export class SlotLocator implements ShardLocator, SlotMap {
  readonly version: bigint
  readonly slots: readonly ShardId[]
  readonly #hash: HashLocator

  /** @throws InvalidArgumentError */
  constructor(map: SlotMap) {
    this.slots = Object.freeze(checkSlots(map?.slots))
    this.version = checkBigint('the version of a slot map', map.version, 1n, MAX_ID)
    this.#hash = new HashLocator(this.slots.length)
  }

  /**
   * The first version of a map: the slots dealt to the shards in turn.
   * @throws InvalidArgumentError, also if there are more shards than slots
   */
  static spread(shards: readonly ShardId[], slotCount = 4_096): SlotLocator {
    if (!Array.isArray(shards)) throw new InvalidArgumentError(`shards are an array, not ${show(shards)}`)
    checkInteger('the number of slots', slotCount, 1, 65_536)
    checkInteger('the number of shards', new Set(shards).size, 1, slotCount)
    const dealt = shards.filter((shard, i) => shards.indexOf(shard) === i)
    const slots = Array.from({ length: slotCount }, (_, i) => dealt[i % dealt.length] as ShardId)
    return new SlotLocator({ slots, version: 1n })
  }

  /** The slot of a key; errors as `locate`. */
  slotOf(key: RoutingKey): number {
    return this.#hash.locate(key)
  }

  /** @throws InvalidArgumentError for anything but a bigint from 0 to 2^64-1 */
  locate(key: RoutingKey): ShardId {
    return this.slots[this.#hash.locate(key)] as ShardId
  }

  /**
   * The next version, with other shards for some slots. A slot keeps its shard unless it is named as empty, for
   * its rows would be looked for where they are not: nothing moves data yet.
   *
   * The map is yours to keep. Processes on two versions write a key of a changed slot to two shards: see to it
   * that all have the new one before anything is written to such a slot.
   * @throws InvalidArgumentError for a change of a slot that is not named, or of the number of slots
   */
  withSlots(slots: ArrayLike<ShardId>, empty: Iterable<number> = []): SlotLocator {
    const next = checkSlots(slots)
    if (next.length !== this.slots.length)
      throw new InvalidArgumentError(`there are ${this.slots.length} slots for ever, not ${next.length}`)
    if (typeof empty?.[Symbol.iterator] !== 'function')
      throw new InvalidArgumentError(`empty slots are a list, not ${show(empty)}`)
    const free = new Set(empty)
    const held = next.findIndex((shard, slot) => shard !== this.slots[slot] && !free.has(slot))
    if (held >= 0) throw new InvalidArgumentError(`slot ${held} may hold data, which cannot be moved`)
    return new SlotLocator({ slots: next, version: this.version + 1n })
  }
}

function checkSlots(slots: ArrayLike<ShardId>): ShardId[] {
  const isList = Array.isArray(slots) || ArrayBuffer.isView(slots)
  if (!isList) throw new InvalidArgumentError(`slots are an array of shard numbers, not ${show(slots)}`)
  checkInteger('the number of slots', slots.length, 1, 65_536)
  return Array.from(slots, (shard) => checkInteger('the shard of a slot', shard, 0, MAX_SHARD))
}
