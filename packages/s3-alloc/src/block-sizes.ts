/** How the size of blocks follows the demand; every field has a default. */
export interface AdaptiveOptions {
  /** The largest block (10,000,000). */
  readonly maxBlockSize?: number | undefined
  /** How long a block should last, in ms (4,000): about how far two visits to the counter are apart. */
  readonly targetMs?: number | undefined
}

/** One block may be so many times as large as the last one, or so small a part of it. */
const FASTEST_GROWTH = 16
const FASTEST_SHRINKING = 0.5

/** The size of the next block, from how long the last one lasted. */
export class BlockSizes {
  readonly #min: number
  readonly #adaptive: Required<{ [K in keyof AdaptiveOptions]: number }> | null
  #size: number
  #lastMs: number | null = null

  constructor(blockSize: number, adaptive: AdaptiveOptions | null) {
    this.#min = blockSize
    this.#size = blockSize
    this.#adaptive = adaptive && {
      maxBlockSize: Math.max(blockSize, adaptive.maxBlockSize ?? 10_000_000),
      targetMs: adaptive.targetMs ?? 4_000,
    }
  }

  /** The size that is in use. */
  get size(): number {
    return this.#size
  }

  /** Says that a block is needed at `nowMs`, and how large it should be. */
  next(nowMs: number): number {
    const lastMs = this.#lastMs
    this.#lastMs = nowMs
    if (!this.#adaptive || lastMs === null) return this.#size
    const { maxBlockSize, targetMs } = this.#adaptive
    const factor = targetMs / Math.max(nowMs - lastMs, 1)
    const bounded = Math.min(Math.max(factor, FASTEST_SHRINKING), FASTEST_GROWTH)
    this.#size = Math.min(Math.max(Math.round(this.#size * bounded), this.#min), maxBlockSize)
    return this.#size
  }
}
