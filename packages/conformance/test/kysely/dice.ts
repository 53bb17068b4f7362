/** Choices that a seed decides: the same seed, the same statement. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A whole number from 0 up to, and without, `end`. */
  below(end: number): number {
    // Mulberry32: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let z = this.#state
    z = Math.imul(z ^ (z >>> 15), z | 1)
    z ^= z + Math.imul(z ^ (z >>> 7), z | 61)
    return ((z ^ (z >>> 14)) >>> 0) % end
  }

  chance(share: number): boolean {
    return this.below(1_000_000) < share * 1_000_000
  }

  pick<T>(list: readonly T[]): T {
    if (list.length === 0) throw new Error('nothing to pick from')
    return list[this.below(list.length)] as T
  }
}
