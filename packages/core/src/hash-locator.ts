import { checkInteger } from './argument.ts'
import { mix64 } from './hash.ts'
import { MAX_SHARD, type RoutingKey, type ShardId } from './id.ts'
import { IdWords } from './id-words.ts'
import type { ShardLocator } from './locator.ts'

/**
 * Spreads keys evenly over the shards 0 to n - 1: `mix64(key) mod n`. Another n moves nearly every key, so n is
 * for ever; a `SlotLocator` can grow.
 */
export class HashLocator implements ShardLocator {
  readonly shards: number
  readonly #words = new IdWords()
  /** 2^32 mod n. */
  readonly #carry: number

  /** @throws InvalidArgumentError unless it is a whole number from 1 to 2^24 */
  constructor(shards: number) {
    this.shards = checkInteger('the number of shards', shards, 1, MAX_SHARD + 1)
    this.#carry = 2 ** 32 % shards
  }

  /** @throws InvalidArgumentError for anything but a bigint from 0 to 2^64-1 */
  locate(key: RoutingKey): ShardId {
    this.#words.split(mix64(key))
    const { high, low } = this.#words
    // Below 2^49, so exact.
    return ((high % this.shards) * this.#carry + (low % this.shards)) % this.shards
  }
}
