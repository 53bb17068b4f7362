import type { RoutingKey, ShardId } from './id.ts'

/** Says which shard holds a key. Pure: the same key gives the same shard for ever. */
export interface ShardLocator {
  /** @throws InvalidArgumentError for a key outside its range */
  locate(key: RoutingKey): ShardId
}
