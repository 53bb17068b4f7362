import { checkBigint, checkInteger, show } from './argument.ts'
import { InvalidArgumentError } from './errors.ts'
import { type Id, parseWithin, type RoutingKey, type ShardId } from './id.ts'
import { IdWords, isUnsigned64 } from './id-words.ts'
import type { ShardLocator } from './locator.ts'

/** How a codec splits an id; every field has a default. */
export interface ShardCodecOptions {
  /** Bits for the shard, 1 to 24 (12). */
  readonly shardBits?: number
  /** 64 (the default), or 53 for ids that are safe JS integers. */
  readonly idBits?: 53 | 64
  /** Uses the 64th bit too. Such ids need an engine that can hold and sort unsigned 64-bit integers. */
  readonly unsigned?: boolean
}

/**
 * Packs a shard and a sequence into one id, and takes them apart: `id = shard << seqBits | seq`.
 *
 * With 64 bits the top bit stays 0 unless `unsigned` is set, so ids fit, sort and page in a signed
 * BIGINT on every engine; the largest shard is then `2^(shardBits-1) - 1`. Nothing is ever masked:
 * a value that does not fit is an error.
 */
export class ShardCodec implements ShardLocator {
  /** 12 shard bits of 64: shards 0 to 2047. */
  static readonly default: ShardCodec = new ShardCodec()

  readonly shardBits: number
  readonly idBits: 53 | 64
  /** A key is an id, never the hash of a text. */
  readonly idsOnly = true
  readonly unsigned: boolean
  readonly seqBits: number
  readonly maxShard: ShardId
  readonly maxSeq: bigint
  readonly maxId: bigint
  readonly #shift: bigint
  readonly #words = new IdWords()
  readonly #maxHigh: number
  /** How far the shard lies within the upper half of an id; negative if it begins in the lower one. */
  readonly #highShift: number

  /** @throws InvalidArgumentError for bits out of range */
  constructor(options: ShardCodecOptions = {}) {
    if (typeof options !== 'object' || options === null)
      throw new InvalidArgumentError(`options cannot be ${show(options)}`)
    const { shardBits = 12, idBits = 64, unsigned = false } = options
    this.shardBits = checkInteger('shardBits', shardBits, 1, 24)
    if (idBits !== 53 && idBits !== 64)
      throw new InvalidArgumentError(`idBits must be 53 or 64, not ${show(idBits)}`)
    if (typeof unsigned !== 'boolean') throw new InvalidArgumentError('unsigned must be true or false')
    if (unsigned && idBits === 53) throw new InvalidArgumentError('unsigned needs idBits 64')
    this.idBits = idBits
    this.unsigned = unsigned
    this.seqBits = idBits - shardBits
    this.#shift = BigInt(this.seqBits)
    this.maxShard = 2 ** (idBits === 64 && !unsigned ? shardBits - 1 : shardBits) - 1
    this.maxSeq = (1n << this.#shift) - 1n
    this.maxId = (BigInt(this.maxShard) << this.#shift) | this.maxSeq
    this.#maxHigh = Number(this.maxId >> 32n)
    this.#highShift = this.seqBits - 32
  }

  /** @throws InvalidArgumentError if the shard is above `maxShard` or the sequence above `maxSeq` */
  compose(shard: ShardId, seq: bigint): Id {
    checkInteger('a shard number', shard, 0, this.maxShard)
    checkBigint('a sequence', seq, 0n, this.maxSeq)
    return (BigInt(shard) << this.#shift) | seq
  }

  /**
   * The shard an id was born on.
   * @throws InvalidArgumentError for anything but a bigint from 0 to `maxId`
   */
  shardOf(id: Id): ShardId {
    // The lower half of the largest id is all ones, so the upper half tells whether an id is in range.
    if (!isUnsigned64(id)) throw this.#noId(id)
    this.#words.split(id)
    const { high, low } = this.#words
    if (high > this.#maxHigh) throw this.#noId(id)
    if (this.#highShift >= 0) return high >>> this.#highShift
    return high * 2 ** -this.#highShift + (low >>> this.seqBits)
  }

  /** The sequence within the shard; errors as `shardOf`. */
  seqOf(id: Id): bigint {
    return checkBigint('an id', id, 0n, this.maxId) & this.maxSeq
  }

  /** As a locator: a key is an id, and lives on its shard of birth. */
  locate(key: RoutingKey): ShardId {
    return this.shardOf(key)
  }

  /**
   * Reads an id of this codec from the wire, as `parseId` does, up to `maxId`: an unsigned codec's ids go beyond
   * what that takes.
   * @throws InvalidArgumentError
   */
  parse(value: string | bigint): Id {
    return parseWithin(value, this.maxId)
  }

  #noId(value: unknown): InvalidArgumentError {
    return new InvalidArgumentError(`an id must be a bigint from 0 to ${this.maxId}, not ${show(value)}`)
  }
}
