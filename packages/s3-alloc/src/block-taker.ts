import { isShardError, type ShardError, StoreUnavailableError } from '@shard/core'
import { tell } from './allocator-hooks.ts'
import type { AllocatorSettings } from './allocator-options.ts'
import { backoffMs } from './backoff.ts'
import { CounterWatch } from './counter-watch.ts'
import { within } from './deadline.ts'

/** Ids [from, to) that nobody else will ever be given. */
export interface TakenIds {
  readonly from: bigint
  readonly to: bigint
}

/** How many ids to take where at most so many are left; 0 to take none. */
export type Plan = (available: bigint) => bigint

/** An attempt that brought nothing, and may be followed by another. */
interface Setback {
  readonly reason: string
  readonly error: ShardError | null
  /** What the store asked for. */
  readonly retryInMs: number
}

/** A store may ask for more, but one wrong header must not stop a process for a year. */
const LONGEST_PAUSE_MS = 60_000

/** How often attempts ended without ids. */
export interface Setbacks {
  lost: number
  unknown: number
  failed: number
}

/** Takes ids from a counter, with as many attempts as fit in the time. One call at a time. */
export class BlockTaker {
  readonly setbacks: Setbacks = { lost: 0, unknown: 0, failed: 0 }
  readonly #settings: AllocatorSettings
  readonly #watch: CounterWatch
  /** No attempt before this instant of the monotonic clock: the store asked for it. */
  #notBeforeMs = Number.NEGATIVE_INFINITY

  constructor(settings: AllocatorSettings) {
    this.#settings = settings
    this.#watch = new CounterWatch(settings)
  }

  /** Asks for the floor once more before the next block. */
  askFloorAgain(): void {
    this.#watch.askAgain()
  }

  /**
   * Null if the plan wants none. A block whose swap did not surely succeed is left to nobody.
   * @throws TimeoutError (retryable) when the time is over, its cause what the last attempt met
   * @throws StoreUnavailableError (retryable) at once where the store asks for a longer wait than is left
   * @throws CounterMissingError, CounterWentBackError, CounterCorruptError, StoreRefusedError, StoreUnsafeError
   */
  take(plan: Plan, signal: AbortSignal): Promise<TakenIds | null> {
    const { timeoutMs, delay } = this.#settings
    const startMs = this.#nowMs()
    const met: { last: Setback | null } = { last: null }
    const cause = (): unknown => met.last?.error ?? new Error(`the last attempt was ${met.last?.reason}`)
    const deadline = { ms: timeoutMs, delay, signal, outcome: 'unknown' as const, cause }
    return within(deadline, async (inner) => {
      for (let attempt = 1; ; attempt++) {
        await this.#pause(startMs + timeoutMs, inner)
        const result = await this.#attempt(plan, inner)
        if (result === null) return null
        if ('from' in result) {
          tell(this.#settings.hooks, 'onBlock', {
            ...result,
            tookMs: this.#nowMs() - startMs,
            attempts: attempt,
          })
          return result
        }
        met.last = result
        await this.#wait(attempt, result, startMs + timeoutMs, inner)
      }
    })
  }

  /** Until the store wants to be asked again. */
  async #pause(endMs: number, signal: AbortSignal): Promise<void> {
    const pauseMs = this.#notBeforeMs - this.#nowMs()
    if (pauseMs > endMs - this.#nowMs())
      throw new StoreUnavailableError('the store asked not to be called yet', 'not-applied', pauseMs)
    if (pauseMs > 0) await this.#settings.delay(pauseMs, signal)
  }

  async #attempt(plan: Plan, signal: AbortSignal): Promise<TakenIds | Setback | null> {
    const { counter, max } = this.#settings
    try {
      const reading = await this.#call('not-applied', signal, (inner) => this.#watch.load({ signal: inner }))
      const size = plan(reading.value < max ? max - reading.value : 0n)
      if (size === 0n) return null
      const value = reading.value + size
      const result = await this.#call('unknown', signal, (inner) =>
        counter.swap(reading.version, value, { signal: inner }),
      )
      if (result !== 'ok') return this.#setback(result, null)
      this.#watch.saw(value)
      return { from: reading.value + 1n, to: value + 1n }
    } catch (error) {
      if (signal.aborted || !isShardError(error) || !error.retryable) throw error
      return this.#setback(error.outcome === 'unknown' ? 'unknown' : error.code, error)
    }
  }

  #call<T>(
    outcome: 'unknown' | 'not-applied',
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const { callTimeoutMs, delay } = this.#settings
    const cause = (): unknown => new Error(`the counter did not answer within ${callTimeoutMs} ms`)
    return within({ ms: callTimeoutMs, delay, signal, outcome, cause }, work)
  }

  #setback(reason: string, error: ShardError | null): Setback {
    if (reason === 'lost' || reason === 'unknown') this.setbacks[reason]++
    else this.setbacks.failed++
    const asked = (error as Partial<StoreUnavailableError> | null)?.retryInMs ?? 0
    const retryInMs = Math.min(asked, LONGEST_PAUSE_MS)
    if (retryInMs > 0) this.#notBeforeMs = this.#nowMs() + retryInMs
    return { reason, error, retryInMs }
  }

  async #wait(attempt: number, setback: Setback, endMs: number, signal: AbortSignal): Promise<void> {
    const { reason, error, retryInMs } = setback
    const { delay, random, retry, hooks } = this.#settings
    if (error && retryInMs > endMs - this.#nowMs()) throw error
    const waitMs = Math.max(backoffMs(attempt, random, retry), retryInMs)
    tell(hooks, 'onRetry', { attempt, reason, waitMs })
    await delay(waitMs, signal)
  }

  #nowMs(): number {
    return this.#settings.clock.monotonicMs()
  }
}
