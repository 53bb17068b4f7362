import { checkBigint, checkInteger, show } from './argument.ts'
import { InvalidArgumentError } from './errors.ts'
import { MAX_ID, MAX_SHARD, type RoutingKey, type ShardId } from './id.ts'
import type { ShardLocator } from './locator.ts'

/**
 * Another locator, but for some keys that have left their shard: they keep their ids, and are found where the map
 * says. Meant for few keys, all of which are held in memory. It never changes; `with` makes another one.
 */
export class MovedLocator implements ShardLocator {
  readonly base: ShardLocator
  readonly idBits: 53 | 64
  readonly idsOnly: boolean
  /** Of the map; a larger one replaces a smaller one. */
  readonly version: bigint
  readonly #moved: ReadonlyMap<RoutingKey, ShardId>

  /** @throws InvalidArgumentError for a key that the base refuses, a shard or a version out of range */
  constructor(base: ShardLocator, moved: ReadonlyMap<RoutingKey, ShardId>, version: bigint = 1n) {
    this.base = checkLocator(base)
    this.idBits = base.idBits ?? 64
    this.idsOnly = base.idsOnly ?? false
    this.version = checkBigint('the version of the moved keys', version, 1n, MAX_ID)
    this.#moved = checkMoved(moved)
    for (const key of this.#moved.keys()) base.locate(key)
  }

  /** Errors as the base's. */
  locate(key: RoutingKey): ShardId {
    return this.#moved.get(key) ?? this.base.locate(key)
  }

  /** The keys that are not where the base says, and where they are: a copy. */
  moved(): ReadonlyMap<RoutingKey, ShardId> {
    return new Map(this.#moved)
  }

  /**
   * The next version, with more keys moved. A key that goes back to the base's shard leaves the map. Move the
   * rows, and see to it that all processes have the new version, before anything else is written to the key.
   */
  with(moved: ReadonlyMap<RoutingKey, ShardId>): MovedLocator {
    const all = new Map([...this.#moved, ...checkMoved(moved)])
    const away = [...all].filter(([key, shard]) => this.base.locate(key) !== shard)
    return new MovedLocator(this.base, new Map(away), this.version + 1n)
  }
}

/** @throws InvalidArgumentError for what is no locator */
export function checkLocator(locator: ShardLocator): ShardLocator {
  if (typeof locator === 'object' && locator !== null && typeof locator.locate === 'function') return locator
  throw new InvalidArgumentError(`a locator cannot be ${show(locator)}`)
}

function checkMoved(moved: ReadonlyMap<RoutingKey, ShardId>): Map<RoutingKey, ShardId> {
  if (!(moved instanceof Map)) throw new InvalidArgumentError(`moved keys are a Map, not ${show(moved)}`)
  for (const [key, shard] of moved) {
    checkBigint('a moved key', key, 0n, 2n ** 64n - 1n)
    checkInteger('the shard of a moved key', shard, 0, MAX_SHARD)
  }
  return new Map(moved)
}
