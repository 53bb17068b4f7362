import { checkInteger, checkSignal, show } from './argument.ts'
import { type Clock, systemClock } from './clock.ts'
import { type Delay, delay as timerDelay } from './delay.ts'
import { type ClockAheadError, InvalidArgumentError, isShardError } from './errors.ts'
import type { Id, ShardId } from './id.ts'
import { ShardCodec } from './id-codec.ts'
import { IdCounter } from './id-counter.ts'
import { ShardHalves } from './id-halves.ts'
import { IdTime, wholeMs } from './id-time.ts'
import { IdWords } from './id-words.ts'
import { checkLayout, expiresAtMs, type Layout, layouts } from './layout.ts'
import type { WorkerLease } from './worker-lease.ts'
import { bindLease } from './worker-lease-binding.ts'

/** The longest single wait before the clock is looked at again. */
const MAX_SLEEP_MS = 60_000

/** How long `wait` gives an extension that is under way before it looks again. */
const LEASE_RETRY_MS = 50

/** How an allocator mints; every field has a default. */
export interface IdAllocatorOptions {
  /** The lease's layout, or `layouts.default`. */
  readonly layout?: Layout
  /** A leased worker number. Without one, at most one process may mint. */
  readonly worker?: WorkerLease
  /** With a lease, the clock by which that was acquired. */
  readonly clock?: Clock
  /** How far stamps may run ahead of the clock: up to an hour (10; 5,000 with a lease). */
  readonly maxAheadMs?: number
  /**
   * Refuse ids until the clock has passed the start by `maxAheadMs`, so that none can repeat one of
   * a process that ended just before (false). A lease makes sure of that without a wait.
   */
  readonly startAfterAhead?: boolean
  /** How `wait` waits; a timer by default. */
  readonly delay?: Delay
}

/** What an id says of its birth. */
export interface IdParts {
  readonly shard: ShardId
  readonly timeMs: number
  /** Within the millisecond; if a worker was leased, its number is in the top `workerBits`. */
  readonly counter: number
}

/**
 * Mints sequences of (millisecond, counter) and ids made of them: strictly increasing and never
 * repeating within this allocator, whatever the clock does.
 *
 * With a `WorkerLease`, any number of processes may mint: stamps lie in the lease's window, which no other
 * holder of its number shares, also after a kill, a pause or a step of any clock.
 *
 * Without one, one process at a time. No id repeats across a restart if the clock does not go back and the
 * new process mints its first id more than `maxAheadMs` after the old one's last; `startAfterAhead`
 * waits for that. Two allocators, or an old and a new process that overlap, count as two processes.
 *
 * A process that is a copy of another (a restored snapshot, a fork) must call `discard` before its first id.
 */
export class IdAllocator {
  readonly layout: Layout
  /** The first instant, in unix milliseconds, for which no id can be minted. */
  readonly expiresAtMs: number
  readonly #time: IdTime
  readonly #counter: IdCounter
  readonly #words = new IdWords()
  readonly #delay: Delay
  readonly #maxCount: number
  /** Of the layout's own codec. */
  readonly #own: ShardHalves
  /** Of the codec that was used last. */
  #halves: ShardHalves

  /**
   * @throws InvalidArgumentError, also for a lease that serves another allocator
   * @throws LayoutMismatchError if the lease is for another layout
   */
  constructor(options: IdAllocatorOptions = {}) {
    if (typeof options !== 'object' || options === null)
      throw new InvalidArgumentError(`options cannot be ${show(options)}`)
    const { worker, clock = systemClock, delay = timerDelay, startAfterAhead = false } = options
    for (const part of [clock?.now, clock?.monotonicMs, delay])
      if (typeof part !== 'function') throw new InvalidArgumentError('a clock or delay has no function')
    if (typeof startAfterAhead !== 'boolean')
      throw new InvalidArgumentError('startAfterAhead is true or false')
    const isLeased = worker !== undefined
    const maxAheadMs = checkInteger('maxAheadMs', options.maxAheadMs ?? (isLeased ? 5_000 : 10), 0, 3_600_000)
    this.layout = checkLayout(options.layout ?? worker?.layout ?? layouts.default)
    this.expiresAtMs = expiresAtMs(this.layout)
    if (isLeased) bindLease(worker, this.layout)
    this.#time = new IdTime(clock, worker ?? null)
    this.#counter = new IdCounter({
      layout: this.layout,
      time: this.#time,
      worker: worker?.worker ?? null,
      maxAheadMs,
      notBeforeMs: startAfterAhead && !isLeased ? wholeMs(this.#time.nowMs()) + maxAheadMs + 1 : 0,
    })
    this.#delay = delay
    this.#maxCount = Math.min((maxAheadMs + 1) * this.#counter.perMs, 1_000_000)
    const { shardBits, idBits } = this.layout
    this.#own = new ShardHalves(new ShardCodec({ shardBits, idBits }), this.layout)
    this.#halves = this.#own
  }

  /**
   * The next sequence.
   * @throws ClockAheadError (retryable in `retryInMs`) when stamps would run too far ahead of the clock, or,
   * where the time is a guess, beyond the lease's window as it is now
   * @throws LeaseLostError when the lease is over, or (then retryable) must be extended first
   * @throws ClockBeforeEpochError, LayoutExpiredError
   * @throws ClosedError after `discard`
   */
  nextSeq(): bigint {
    return this.#mint(0, 0)
  }

  /**
   * The next id on a shard; errors as `nextSeq`.
   * @throws LayoutMismatchError if the codec has no room for the layout's sequences
   */
  next(codec: ShardCodec, shard: ShardId): Id {
    const halves = this.#halvesOf(codec)
    halves.check(shard)
    return this.#mint(halves.high(shard), halves.low(shard))
  }

  /**
   * The next `count` ids on a shard, ascending: all of them, or an error and none. At most 1,000,000, and
   * no more than fit in `maxAheadMs` + 1 milliseconds (11,264 by default), since no clock allows more at once.
   */
  nextMany(codec: ShardCodec, shard: ShardId, count: number): BigUint64Array {
    const halves = this.#halvesOf(codec)
    halves.check(shard)
    const ids = new BigUint64Array(checkInteger('count', count, 1, this.#maxCount))
    this.#counter.fill(new Uint32Array(ids.buffer), halves.high(shard), halves.low(shard))
    return ids
  }

  /**
   * The next id, waiting by timer while the clock or a pending extension of the lease does not allow one.
   * @throws AbortedError when the signal ends the wait
   */
  async wait(
    codec: ShardCodec,
    shard: ShardId,
    options: { signal?: AbortSignal | undefined } = {},
  ): Promise<Id> {
    for (;;) {
      checkSignal(options?.signal)
      try {
        return this.next(codec, shard)
      } catch (error) {
        const retryInMs = retryTime(error)
        if (retryInMs === null) throw error
        // Looks again from time to time: the clock may be set right meanwhile.
        await this.#delay(Math.min(retryInMs, MAX_SLEEP_MS), options?.signal)
      }
    }
  }

  /** Takes an id of this layout apart; name the codec if it is not split as the layout says. */
  parts(id: Id, codec: ShardCodec = this.#own.codec): IdParts {
    if (codec !== this.#own.codec) this.#halvesOf(codec)
    const seq = codec.seqOf(id)
    const { counterBits, epochMs } = this.layout
    return {
      shard: codec.shardOf(id),
      timeMs: Number(seq >> BigInt(counterBits)) + epochMs,
      counter: Number(BigInt.asUintN(counterBits, seq)),
    }
  }

  /** The ids of a shard stamped in [fromMs, toMs), as half-open bounds: `from <= id < to`. */
  range(codec: ShardCodec, shard: ShardId, fromMs: number, toMs: number): { from: Id; to: Id } {
    this.#halvesOf(codec).check(shard)
    const { epochMs, counterBits } = this.layout
    const start = checkInteger('fromMs', fromMs, epochMs, this.expiresAtMs)
    const end = checkInteger('toMs', toMs, start, this.expiresAtMs)
    const base = codec.compose(shard, 0n)
    const bound = (ms: number): bigint => base + (BigInt(ms - epochMs) << BigInt(counterBits))
    return { from: bound(start), to: bound(end) }
  }

  /**
   * Ends this allocator: every later call that mints is `CLOSED`. For a process that finds itself a copy of
   * another, before its first id: the other one may go on, this one needs a lease and an allocator of its own.
   * The lease is left alone, for it is the other's.
   */
  discard(): void {
    this.#time.stop()
  }

  /** The next sequence plus what is given of an id's halves. */
  #mint(high: number, low: number): bigint {
    const counter = this.#counter
    const words = this.#words
    // The likely next one is written before the clock is read: a processor has to wait when it reads 64 bits
    // right after it has written them as two halves.
    words.set(counter.high + high, counter.low + low + 1)
    if (!counter.next()) words.set(counter.high + high, counter.low + low)
    return words.whole
  }

  #halvesOf(codec: ShardCodec): ShardHalves {
    if (codec !== this.#halves.codec) this.#halves = new ShardHalves(codec, this.layout)
    return this.#halves
  }
}

/** How long to wait before the call is made again; null if that would not help. */
function retryTime(error: unknown): number | null {
  if (isShardError(error, 'CLOCK_AHEAD')) return (error as ClockAheadError).retryInMs
  return isShardError(error, 'LEASE_LOST') && error.retryable ? LEASE_RETRY_MS : null
}
