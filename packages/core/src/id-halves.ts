import { checkInteger, show } from './argument.ts'
import { InvalidArgumentError, LayoutMismatchError } from './errors.ts'
import type { ShardId } from './id.ts'
import type { ShardCodec } from './id-codec.ts'
import type { Layout } from './layout.ts'

/** What a codec's shard numbers add to the two 32-bit halves of an id. */
export class ShardHalves {
  readonly codec: ShardCodec
  readonly #maxShard: number
  readonly #highScale: number
  readonly #lowScale: number

  /**
   * @throws LayoutMismatchError if the codec has no room for the layout's sequences
   * @throws InvalidArgumentError if it is no codec
   */
  constructor(codec: ShardCodec, layout: Layout) {
    if (typeof codec !== 'object' || codec === null)
      throw new InvalidArgumentError(`a codec cannot be ${show(codec)}`)
    const seqBits = checkInteger('seqBits of the codec', codec.seqBits, 1, 63)
    const bits = layout.timeBits + layout.counterBits
    if (bits > seqBits)
      throw new LayoutMismatchError(`the layout's sequences take ${bits} bits, the codec has ${seqBits}`)
    this.codec = codec
    this.#maxShard = checkInteger('maxShard of the codec', codec.maxShard, 0, 2 ** 24 - 1)
    this.#highScale = 2 ** (seqBits - 32)
    this.#lowScale = seqBits < 32 ? 1 << seqBits : 0
  }

  /** @throws InvalidArgumentError for anything but a shard number of the codec */
  check(shard: ShardId): void {
    // First the test alone: whatever can make a message is too large to be inlined into a loop.
    if (Number.isInteger(shard) && shard >= 0 && shard <= this.#maxShard) return
    checkInteger('a shard number', shard, 0, this.#maxShard)
  }

  high(shard: ShardId): number {
    return Math.floor(shard * this.#highScale)
  }

  low(shard: ShardId): number {
    return Math.imul(shard, this.#lowScale) >>> 0
  }
}
