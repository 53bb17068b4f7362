/** Is the low half of a 64-bit integer the first in memory here? On all common machines, but not on all. */
const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1

/** Where the low 32 bits of a 64-bit integer lie in a `Uint32Array` over it. */
export const LOW: 0 | 1 = isLittleEndian ? 0 : 1

/** Where the high 32 bits lie. */
export const HIGH: 0 | 1 = isLittleEndian ? 1 : 0

/**
 * One unsigned 64-bit integer and its two halves over the same memory. To write the halves and read the
 * whole costs one allocation; the same with BigInt arithmetic costs one for each operation.
 */
export class IdWords {
  readonly #whole: BigUint64Array = new BigUint64Array(1)
  readonly #halves: Uint32Array = new Uint32Array(this.#whole.buffer)

  /** Sets both halves; what is above 32 bits of each is cut. */
  set(high: number, low: number): void {
    this.#halves[HIGH] = high
    this.#halves[LOW] = low
  }

  get whole(): bigint {
    return this.#whole[0] as bigint
  }

  /** Takes an integer in 0 .. 2^64-1 apart, for `high` and `low`. */
  split(whole: bigint): void {
    this.#whole[0] = whole
  }

  get high(): number {
    return this.#halves[HIGH] as number
  }

  get low(): number {
    return this.#halves[LOW] as number
  }
}

/** Is it a bigint in 0 .. 2^64-1? Of the ways to ask, this was the fastest by half on Node 20. */
export function isUnsigned64(value: unknown): value is bigint {
  return typeof value === 'bigint' && BigInt.asUintN(64, value) === value
}
