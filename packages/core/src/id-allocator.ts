import { checkInteger, checkSignal } from './argument.ts'
import { type Clock, systemClock } from './clock.ts'
import { type Delay, delay as timerDelay } from './delay.ts'
import {
  ClockAheadError,
  ClockBeforeEpochError,
  InvalidArgumentError,
  isShardError,
  LayoutExpiredError,
  LayoutMismatchError,
} from './errors.ts'
import type { Id, ShardId } from './id.ts'
import { ShardCodec } from './id-codec.ts'
import { checkLayout, expiresAtMs, type Layout, layouts } from './layout.ts'

/** The longest single wait before the clock is looked at again. */
const MAX_SLEEP_MS = 60_000

/** How an allocator mints; every field has a default. */
export interface IdAllocatorOptions {
  readonly layout?: Layout
  readonly clock?: Clock
  /** How far stamps may run ahead of the clock (10). */
  readonly maxAheadMs?: number
  /**
   * Refuse ids until the clock has passed the start by `maxAheadMs`, so that none can repeat one of
   * a process that ended just before (false).
   */
  readonly startAfterAhead?: boolean
  /** How `wait` waits; a timer by default. */
  readonly delay?: Delay
}

/** What an id says of its birth. */
export interface IdParts {
  readonly shard: ShardId
  readonly timeMs: number
  readonly counter: number
}

/**
 * Mints sequences of (millisecond, counter) and ids made of them: strictly increasing and never
 * repeating within this allocator, whatever the clock does.
 *
 * For one process at a time. No id repeats across a restart if the clock does not go back and the
 * new process mints its first id more than `maxAheadMs` after the old one's last; `startAfterAhead`
 * waits for that. Two allocators, or an old and a new process that overlap, count as two processes.
 */
export class IdAllocator {
  readonly layout: Layout
  /** The first instant, in unix milliseconds, for which no id can be minted. */
  readonly expiresAtMs: number
  readonly #clock: Clock
  readonly #delay: Delay
  readonly #maxAheadMs: number
  readonly #notBeforeMs: number
  readonly #counterBits: bigint
  readonly #codec: ShardCodec
  /** The last sequence given out: milliseconds since the epoch, then the counter. */
  #last = 0n

  constructor(options: IdAllocatorOptions = {}) {
    this.layout = checkLayout(options.layout ?? layouts.default)
    this.expiresAtMs = expiresAtMs(this.layout)
    this.#clock = options.clock ?? systemClock
    this.#delay = options.delay ?? timerDelay
    this.#maxAheadMs = checkInteger('maxAheadMs', options.maxAheadMs ?? 10, 0, 3_600_000)
    this.#counterBits = BigInt(this.layout.counterBits)
    this.#codec = new ShardCodec({ shardBits: this.layout.shardBits, idBits: this.layout.idBits })
    this.#notBeforeMs = options.startAfterAhead ? this.#nowMs() + this.#maxAheadMs + 1 : 0
  }

  /**
   * The next sequence.
   * @throws ClockAheadError (retryable in `retryInMs`) when stamps would run too far ahead of the clock
   * @throws ClockBeforeEpochError, LayoutExpiredError
   */
  nextSeq(): bigint {
    return this.#take(1)
  }

  /**
   * The next id on a shard; errors as `nextSeq`.
   * @throws LayoutMismatchError if the codec has no room for the layout's sequences
   */
  next(codec: ShardCodec, shard: ShardId): Id {
    this.#checkFit(codec, shard)
    return codec.compose(shard, this.#take(1))
  }

  /**
   * The next `count` ids on a shard, ascending: all of them, or an error and none. At most 1,000,000, and
   * no more than fit in `maxAheadMs` + 1 milliseconds (11,264 by default), since no clock allows more at once.
   */
  nextMany(codec: ShardCodec, shard: ShardId, count: number): BigUint64Array {
    this.#checkFit(codec, shard)
    const room = (this.#maxAheadMs + 1) * 2 ** this.layout.counterBits
    checkInteger('count', count, 1, Math.min(room, 1_000_000))
    const first = codec.compose(shard, this.#take(count))
    return BigUint64Array.from({ length: count }, (_, i) => first + BigInt(i))
  }

  /**
   * The next id, waiting by timer while the clock does not allow one.
   * @throws AbortedError when the signal ends the wait
   */
  async wait(
    codec: ShardCodec,
    shard: ShardId,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<Id> {
    for (;;) {
      checkSignal(options.signal)
      try {
        return this.next(codec, shard)
      } catch (error) {
        if (!isShardError(error, 'CLOCK_AHEAD')) throw error
        const { retryInMs } = error as ClockAheadError
        // Looks again from time to time: the clock may be set right meanwhile.
        await this.#delay(Math.min(retryInMs, MAX_SLEEP_MS), options.signal)
      }
    }
  }

  /** Takes an id of this layout apart; name the codec if it is not split as the layout says. */
  parts(id: Id, codec: ShardCodec = this.#codec): IdParts {
    const seq = codec.seqOf(id)
    return {
      shard: codec.shardOf(id),
      timeMs: Number(seq >> this.#counterBits) + this.layout.epochMs,
      counter: Number(seq & ((1n << this.#counterBits) - 1n)),
    }
  }

  /** The ids of a shard stamped in [fromMs, toMs), as half-open bounds: `from <= id < to`. */
  range(codec: ShardCodec, shard: ShardId, fromMs: number, toMs: number): { from: Id; to: Id } {
    this.#checkFit(codec, shard)
    const { epochMs } = this.layout
    const start = checkInteger('fromMs', fromMs, epochMs, this.expiresAtMs)
    const end = checkInteger('toMs', toMs, start, this.expiresAtMs)
    const base = codec.compose(shard, 0n)
    const bound = (ms: number): bigint => base + (BigInt(ms - epochMs) << this.#counterBits)
    return { from: bound(start), to: bound(end) }
  }

  /** Takes `count` sequences in a row; returns the first. */
  #take(count: number): bigint {
    const nowMs = this.#nowMs()
    const { epochMs } = this.layout
    if (nowMs < epochMs) throw new ClockBeforeEpochError(nowMs, epochMs)
    if (nowMs >= this.expiresAtMs) throw new LayoutExpiredError(this.expiresAtMs)
    if (nowMs < this.#notBeforeMs) throw new ClockAheadError(this.#notBeforeMs - nowMs)
    const present = BigInt(nowMs - epochMs) << this.#counterBits
    // Nothing mints 0: it is not an id on shard 0.
    const first = present > this.#last ? present : this.#last + 1n
    const last = first + BigInt(count - 1)
    const lastMs = Number(last >> this.#counterBits) + epochMs
    if (lastMs >= this.expiresAtMs) throw new LayoutExpiredError(this.expiresAtMs)
    if (lastMs - nowMs > this.#maxAheadMs) throw new ClockAheadError(lastMs - nowMs - this.#maxAheadMs)
    this.#last = last
    return first
  }

  #nowMs(): number {
    const nowMs = Math.floor(this.#clock.now())
    if (Number.isSafeInteger(nowMs)) return nowMs
    throw new InvalidArgumentError(`the clock gave ${nowMs}`)
  }

  #checkFit(codec: ShardCodec, shard: ShardId): void {
    checkInteger('a shard number', shard, 0, codec.maxShard)
    const { timeBits, counterBits } = this.layout
    if (timeBits + counterBits <= codec.seqBits) return
    throw new LayoutMismatchError(
      `the layout's sequences take ${timeBits + counterBits} bits, the codec has ${codec.seqBits}`,
    )
  }
}
