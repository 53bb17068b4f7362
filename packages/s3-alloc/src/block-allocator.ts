import { ClosedError, checkBigint, checkInteger, checkSignal, ExhaustedError } from '@shard/core'
import { tell } from './allocator-hooks.ts'
import { type AllocatorSettings, type BlockAllocatorOptions, checkOptions } from './allocator-options.ts'
import type { AllocatorStats } from './allocator-stats.ts'
import { BlockSizes } from './block-sizes.ts'
import { BlockTaker, type TakenIds } from './block-taker.ts'
import type { CounterCall, CounterReading } from './counter.ts'
import { IdStock } from './id-stock.ts'
import { makeCounter } from './make-counter.ts'
import { VisitPlan } from './visit-plan.ts'
import { type Place, WaitingLine } from './waiting-line.ts'

/** The most ids that one `allocateMany` gives. */
const MAX_MANY = 1_000_000

/** After a block could not be fetched ahead, so long nobody tries again who does not have to wait for it. */
const PREFETCH_PAUSE_MS = 1_000

/**
 * Gives ids from blocks that it takes from a counter: each id once over all allocators of the counter, in all
 * processes, ascending within one allocator. There is no clock in an id, and no worker number to hold.
 *
 * Ids that a process has taken and not given are lost with it, at most two blocks; so is a block whose reply was
 * lost. Any number of callers may ask at once: at most one visit to the counter is under way, for all of them.
 * A call waits at most for the visit under way and one more, each bounded by `timeoutMs`.
 *
 * A process that is a copy of another (a restored snapshot, a fork) must call `discard` before its first id.
 */
export class BlockAllocator {
  readonly #settings: AllocatorSettings
  readonly #taker: BlockTaker
  readonly #sizes: BlockSizes
  readonly #stock = new IdStock()
  readonly #callers = new WaitingLine<number, bigint[]>()
  readonly #ranges = new WaitingLine<bigint, TakenIds>()
  /** Ends the visit that is under way. */
  #visit: AbortController | null = null
  #visited: Promise<void> = Promise.resolve()
  /** As soon as so few ids are left, the next block is fetched. */
  #mark: number
  /** Is the next block to be fetched, though nobody waits for it? */
  #isShort = false
  #noPrefetchBeforeMs = Number.NEGATIVE_INFINITY
  #isExhausted = false
  #isClosed = false
  readonly #counts = { allocated: 0, blocks: 0, waits: 0, discarded: 0 }

  /** @throws InvalidArgumentError */
  constructor(options: BlockAllocatorOptions) {
    this.#settings = checkOptions(options)
    this.#taker = new BlockTaker(this.#settings)
    this.#sizes = new BlockSizes(this.#settings.blockSize, this.#settings.adaptive)
    this.#mark = this.#markFor(this.#settings.blockSize)
  }

  /**
   * Makes the counter, once in its life, so that the first id will be `startAt` (1). For set-up code and
   * operators: a process that makes its counter at boot would start again at 1 after the counter was lost.
   * @throws CounterExistsError if there is one; of two that race, one makes it
   * @throws StoreUnavailableError with the outcome `unknown` if it may have been made: look with `inspect`
   */
  async initialize(options: CounterCall & { readonly startAt?: bigint } = {}): Promise<CounterReading> {
    const startAt = checkBigint('startAt', options.startAt ?? 1n, 1n, this.#settings.max)
    this.#check(options.signal)
    return makeCounter(this.#settings, startAt - 1n, { signal: options.signal })
  }

  /**
   * The next id, at once if there is one in memory.
   * @throws ExhaustedError after the last id
   * @throws TimeoutError, StoreUnavailableError (retryable): the next call tries anew
   * @throws CounterMissingError, CounterWentBackError, CounterCorruptError, StoreRefusedError, StoreUnsafeError
   * @throws AbortedError for this caller alone; ClosedError
   */
  async allocate({ signal }: CounterCall = {}): Promise<bigint> {
    this.#check(signal)
    if (this.#callers.size > 0 || this.#stock.left === 0) return (await this.#wait(1, signal))[0] as bigint
    const id = this.#stock.take()
    this.#counts.allocated++
    if (this.#stock.left <= this.#mark) this.#fetchAhead()
    return id
  }

  /**
   * The next `count` ids, 1 to 1,000,000: all of them, ascending, or an error and none. Errors as `allocate`.
   * They follow each other without a gap only within a block.
   */
  async allocateMany(count: number, { signal }: CounterCall = {}): Promise<bigint[]> {
    checkInteger('count', count, 1, MAX_MANY)
    this.#check(signal)
    if (this.#callers.size > 0 || this.#stock.left < count) return this.#wait(count, signal)
    const ids = this.#stock.takeMany(count)
    this.#counts.allocated += count
    if (this.#stock.left <= this.#mark) this.#fetchAhead()
    return ids
  }

  /**
   * Takes `count` ids that follow each other, [from, to), from the counter and not from memory: they may lie
   * above ids that `allocate` gives later. Ranges that are asked for at once are taken in one visit.
   * Errors as `allocate`; if the call is aborted or fails, the range may be lost to everybody.
   */
  async reserve(count: number, { signal }: CounterCall = {}): Promise<TakenIds> {
    checkInteger('count', count, 1, Number.MAX_SAFE_INTEGER)
    this.#check(signal)
    if (this.#isExhausted) throw this.#exhausted(BigInt(count))
    const range = this.#ranges.join(BigInt(count), signal)
    this.#call()
    return range
  }

  /** The id that `allocate` would give if it were called now; null if it would have to ask the counter. */
  peek(): bigint | null {
    return this.#callers.size > 0 || this.#isClosed ? null : this.#stock.peek
  }

  /**
   * Forgets all ids in memory and those that are on their way, and checks the floor again before the next
   * block. Callers that wait get ids of a new one. How many ids in memory were forgotten.
   */
  discard(): number {
    const count = this.#stock.clear()
    this.#counts.discarded += count
    this.#taker.askFloorAgain()
    this.#isShort = false
    this.#visit?.abort()
    this.#visit = null
    if (this.#callers.size + this.#ranges.size > 0) this.#call()
    return count
  }

  /** Where it stands, for metrics. */
  stats(): AllocatorStats {
    return {
      ...this.#counts,
      ...this.#taker.setbacks,
      blockSize: this.#sizes.size,
      remaining: this.#stock.left,
      waiting: this.#callers.size + this.#ranges.size,
      isExhausted: this.#isExhausted,
    }
  }

  /** Refuses all who wait and all who come with `CLOSED`; the counter stays its owner's. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#stock.clear()
    for (const line of [this.#callers, this.#ranges]) line.refuseAll(new ClosedError('the allocator'))
    this.#visit?.abort()
    await this.#visited
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #check(signal: AbortSignal | undefined): void {
    if (this.#isClosed) throw new ClosedError('the allocator')
    checkSignal(signal)
  }

  async #wait(count: number, signal: AbortSignal | undefined): Promise<bigint[]> {
    const { clock, hooks } = this.#settings
    const startMs = clock.monotonicMs()
    const ids = this.#callers.join(count, signal)
    this.#counts.waits++
    this.#serveCallers()
    this.#call()
    try {
      return await ids
    } finally {
      tell(hooks, 'onWait', { waitedMs: clock.monotonicMs() - startMs })
    }
  }

  #fetchAhead(): void {
    if (this.#visit || this.#isExhausted) return
    if (this.#settings.clock.monotonicMs() < this.#noPrefetchBeforeMs) return
    this.#isShort = true
    this.#call()
  }

  /** Visits the counter, unless a visit is under way; after it comes another as long as somebody waits. */
  #call(): void {
    if (this.#visit || this.#isClosed) return
    const visit = new AbortController()
    this.#visit = visit
    this.#visited = this.#run(visit)
  }

  async #run(visit: AbortController): Promise<void> {
    const isOver = (): boolean => this.#visit !== visit || this.#isClosed
    // Whoever comes in the same breath comes along.
    await null
    if (isOver()) return
    const callers = this.#callers.places
    const ranges = this.#ranges.places
    if (callers.length + ranges.length === 0 && !this.#isShort) {
      this.#visit = null
      return
    }
    const plan = new VisitPlan(ranges, this.#wanted(callers), this.#settings.max)
    this.#isShort = false
    try {
      const taken = await this.#taker.take((available) => plan.size(available), visit.signal)
      if (isOver()) return
      this.#receive(plan, taken)
    } catch (error) {
      if (isOver()) return
      this.#noPrefetchBeforeMs = this.#settings.clock.monotonicMs() + PREFETCH_PAUSE_MS
      tell(this.#settings.hooks, 'onFailure', error)
      // Those who came later have a visit of their own.
      for (const place of [...callers, ...ranges]) place.refuse(error)
    }
    this.#visit = null
    if (this.#callers.size + this.#ranges.size > 0) this.#call()
  }

  /** How large the block should be; 0 if none is needed. */
  #wanted(callers: readonly Place<number, bigint[]>[]): number {
    if (this.#isExhausted || (callers.length === 0 && !this.#isShort)) return 0
    const demand = callers.reduce((sum, { request }) => sum + request, 0)
    return Math.max(this.#sizes.next(this.#settings.clock.monotonicMs()), demand - this.#stock.left)
  }

  #receive(plan: VisitPlan, taken: TakenIds | null): void {
    plan.refuseOthers()
    if (taken) {
      const block = plan.deal(taken)
      this.#counts.blocks++
      this.#stock.add(block.from, block.to)
      this.#mark = this.#markFor(this.#sizes.size)
    }
    if (plan.isLast) this.#isExhausted = true
    this.#serveCallers()
  }

  /** Gives ids to those who wait, in order; whoever asks for more than there are stops those behind. */
  #serveCallers(): void {
    for (let first = this.#callers.first; first; first = this.#callers.first) {
      const count = first.request
      if (this.#stock.left >= count) {
        this.#counts.allocated += count
        first.serve(this.#stock.takeMany(count))
      } else if (this.#isExhausted) first.refuse(this.#exhausted(BigInt(count)))
      else return
    }
  }

  #markFor(size: number): number {
    const { lowWater } = this.#settings
    return lowWater === 0 ? -1 : Math.floor(size * lowWater)
  }

  #exhausted(wanted: bigint): ExhaustedError {
    return new ExhaustedError(this.#settings.max, wanted)
  }
}
