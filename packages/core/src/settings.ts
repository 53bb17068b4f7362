import type { Catalog } from './catalog.ts'
import type { Id, RoutingKey, ShardId } from './id.ts'
import type { IdAllocator } from './id-allocator.ts'
import type { ShardCodec } from './id-codec.ts'
import { checkFamily } from './naming.ts'
import { ShardedExecutor } from './sharded-executor.ts'

/** What a family of shards agrees on: its name and how its ids are split. */
export class ShardingSettings {
  readonly family: string
  readonly codec: ShardCodec

  private constructor(family: string, codec: ShardCodec) {
    this.family = checkFamily(family)
    this.codec = codec
  }

  /**
   * Ids carry their shard: routing reads it from the id.
   * @throws InvalidArgumentError for an illegal family name
   */
  static encoded(family: string, codec: ShardCodec): ShardingSettings {
    return new ShardingSettings(family, codec)
  }

  /** The family's executor over the databases of a catalog. */
  executor(catalog: Catalog): ShardedExecutor {
    return new ShardedExecutor({ catalog, locator: this.codec, family: this.family })
  }

  /** A new id that lives on `shard`; errors as `IdAllocator.next`. */
  mint(allocator: IdAllocator, shard: ShardId): Id {
    return allocator.next(this.codec, shard)
  }

  /** The shard on which a key lives. */
  shardOf(key: RoutingKey): ShardId {
    return this.codec.locate(key)
  }
}
