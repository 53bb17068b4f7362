import { show } from './argument.ts'
import type { Catalog } from './catalog.ts'
import { InvalidArgumentError } from './errors.ts'
import { hashKey } from './hash.ts'
import type { Id, RoutingKey, ShardId } from './id.ts'
import type { IdAllocator } from './id-allocator.ts'
import type { ShardCodec } from './id-codec.ts'
import type { ShardLocator } from './locator.ts'
import { checkLocator } from './moved-locator.ts'
import { checkFamily } from './naming.ts'
import { ShardedExecutor } from './sharded-executor.ts'

/** What a family of shards agrees on: its name, how its ids are split, and where its keys live. */
export class ShardingSettings {
  readonly family: string
  readonly codec: ShardCodec
  readonly locator: ShardLocator

  private constructor(family: string, codec: ShardCodec, locator: ShardLocator) {
    this.family = checkFamily(family)
    if (typeof codec?.compose !== 'function')
      throw new InvalidArgumentError(`a codec cannot be ${show(codec)}`)
    this.codec = codec
    this.locator = checkLocator(locator)
  }

  /**
   * Ids carry their shard: routing reads it from the id.
   * @throws InvalidArgumentError for an illegal family name
   */
  static encoded(family: string, codec: ShardCodec): ShardingSettings {
    return new ShardingSettings(family, codec, codec)
  }

  /**
   * Routing asks a locator of your own, such as a `HashLocator` over text keys. Ids still tell their shard of
   * birth, so mint them on the shard where the locator will look for them.
   * @throws InvalidArgumentError
   */
  static withLocator(family: string, codec: ShardCodec, locator: ShardLocator): ShardingSettings {
    return new ShardingSettings(family, codec, locator)
  }

  /** The family's executor over the databases of a catalog. */
  executor(catalog: Catalog): ShardedExecutor {
    return new ShardedExecutor({ catalog, locator: this.locator, family: this.family })
  }

  /**
   * A new id that lives on `shard`; errors as `IdAllocator.next`.
   * @throws InvalidArgumentError if the locator would look for the new id elsewhere; that id is lost
   */
  mint(allocator: IdAllocator, shard: ShardId): Id {
    if (typeof allocator?.next !== 'function')
      throw new InvalidArgumentError(`an allocator cannot be ${show(allocator)}`)
    const id = allocator.next(this.codec, shard)
    if (this.locator === this.codec) return id
    const found = this.locator.locate(id)
    if (found === shard) return id
    throw new InvalidArgumentError(`an id of shard ${shard} would be looked for on ${found} by the locator`)
  }

  /**
   * The routing key of a text, for a route: `{ key: settings.keyOf('alice') }`.
   * @throws InvalidArgumentError if the locator takes ids only: the hash of a text is none
   */
  keyOf(text: string): RoutingKey {
    if (!this.locator.idsOnly) return hashKey(text)
    throw new InvalidArgumentError(`${show(text)} is no id, and the locator takes nothing else`)
  }

  /** The shard on which a key, or a text, lives; errors as `keyOf` and the locator's. */
  shardOf(key: RoutingKey | string): ShardId {
    return this.locator.locate(typeof key === 'string' ? this.keyOf(key) : key)
  }
}
