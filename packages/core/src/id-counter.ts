import { ClockAheadError, ClockBeforeEpochError, LayoutExpiredError } from './errors.ts'
import { type IdTime, wholeMs } from './id-time.ts'
import { HIGH, LOW } from './id-words.ts'
import { expiresAtMs, type Layout } from './layout.ts'

/** What a counter counts in. */
export interface IdCounterOptions {
  readonly layout: Layout
  readonly time: IdTime
  /** Which share of every millisecond is ours; null for the whole. */
  readonly worker: number | null
  readonly maxAheadMs: number
  /** Nothing is given out before this instant. */
  readonly notBeforeMs: number
}

/** How long to wait for a lease's window to become longer: nobody can tell when that will be. */
const WINDOW_RETRY_MS = 50

/**
 * The sequences of one allocator, in order: a millisecond and a number within it, both as plain numbers, and
 * as the two 32-bit halves of `millisecond << counterBits | counter`. A call that throws takes none.
 */
export class IdCounter {
  /** How many there are in a millisecond. */
  readonly perMs: number
  /** The upper 32 bits of the last sequence. */
  high = 0
  /** The lower 32 bits. */
  low = 0
  readonly #time: IdTime
  readonly #epochMs: number
  readonly #horizonMs: number
  readonly #maxAheadMs: number
  readonly #notBeforeMs: number
  readonly #counterScale: number
  readonly #first: number
  readonly #max: number
  /** The last one given out. At first it is 0, which nothing may be: it would be no id on shard 0. */
  #ms = 0
  #index = 0
  /** The instant at which it was found to be allowed; none yet. */
  #seen = Number.NaN

  constructor({ layout, time, worker, maxAheadMs, notBeforeMs }: IdCounterOptions) {
    this.#time = time
    this.#epochMs = layout.epochMs
    this.#horizonMs = expiresAtMs(layout)
    this.#maxAheadMs = maxAheadMs
    this.#notBeforeMs = notBeforeMs
    this.#counterScale = 2 ** layout.counterBits
    this.perMs = worker === null ? this.#counterScale : this.#counterScale / 2 ** layout.workerBits
    this.#first = (worker ?? 0) * this.perMs
    this.#max = this.perMs - 1
  }

  /** Takes the next one, for `high` and `low`; true if only `low` is another, by 1. */
  next(): boolean {
    const now = this.#time.nowMs()
    // At the same instant, what held for the last one in this millisecond holds for the next.
    if (now === this.#seen && this.#index < this.#max) {
      this.#index++
      this.low = (this.low + 1) | 0
      return true
    }
    this.#start(now, 1)
    this.#enter(this.#ms, this.#index)
    return false
  }

  /** Takes as many as there is room for and writes each, plus what is given of an id's halves. */
  fill(halves: Uint32Array, high: number, low: number): void {
    this.#start(this.#time.nowMs(), halves.length / 2)
    for (let at = 0; ; ) {
      this.#enter(this.#ms, this.#index)
      const taken = Math.min(halves.length / 2 - at / 2, this.perMs - this.#index)
      const end = at + 2 * taken
      const upper = (this.high + high) | 0
      for (let lower = (this.low + low) | 0; at < end; at += 2) {
        halves[at + LOW] = lower
        halves[at + HIGH] = upper
        lower = (lower + 1) | 0
      }
      this.#index += taken - 1
      this.low = (this.low + taken - 1) | 0
      if (at === halves.length) return
      this.#ms++
      this.#index = 0
    }
  }

  /** Moves to the first of the next `count`, if all of them are allowed now. */
  #start(instant: number, count: number): void {
    const nowMs = wholeMs(instant)
    const isLater = nowMs - this.#epochMs > this.#ms
    const isFull = this.#index === this.#max
    const ms = isLater ? nowMs - this.#epochMs : isFull ? this.#ms + 1 : this.#ms
    const index = isLater || isFull ? 0 : this.#index + 1
    this.#check(nowMs, this.#epochMs + ms + Math.floor((index + count - 1) / this.perMs))
    this.#ms = ms
    this.#index = index
    this.#seen = instant
  }

  #check(nowMs: number, lastMs: number): void {
    if (nowMs < this.#epochMs) throw new ClockBeforeEpochError(nowMs, this.#epochMs)
    if (nowMs >= this.#horizonMs) throw new LayoutExpiredError(this.#horizonMs)
    if (nowMs < this.#notBeforeMs) throw new ClockAheadError(this.#notBeforeMs - nowMs)
    if (lastMs >= this.#horizonMs) throw new LayoutExpiredError(this.#horizonMs)
    if (lastMs - nowMs > this.#maxAheadMs) throw new ClockAheadError(lastMs - nowMs - this.#maxAheadMs)
    const untilMs = this.#time.untilMs()
    if (!(lastMs < untilMs)) throw new ClockAheadError(Math.max(WINDOW_RETRY_MS, lastMs - untilMs + 1))
  }

  /** A millisecond times a power of two is exact as long as each half is made apart. */
  #enter(ms: number, index: number): void {
    const inHigh = 2 ** 32 / this.#counterScale
    this.high = Math.floor(ms / inHigh) | 0
    this.low = ((ms - this.high * inHigh) * this.#counterScale + this.#first + index) | 0
  }
}
