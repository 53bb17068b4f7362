import type { RoutingKey, ShardId } from './id.ts'

/** Says which shard holds a key. Pure: the same key gives the same shard for ever. */
export interface ShardLocator {
  /** How wide the ids are that it routes; 64 if it does not say. */
  readonly idBits?: 53 | 64
  /** True if it reads the shard out of an id, so that the hash of a text would lead to any shard at all. */
  readonly idsOnly?: boolean
  /** @throws InvalidArgumentError for a key outside its range */
  locate(key: RoutingKey): ShardId
}
