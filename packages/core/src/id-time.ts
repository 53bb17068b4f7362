import type { Clock } from './clock.ts'
import { ClosedError } from './driver-errors.ts'
import { InvalidArgumentError, LeaseLostError } from './errors.ts'
import type { WorkerLease } from './worker-lease.ts'

/**
 * How long before the end of a lease no more ids are made: for clocks that run at different speeds, and for
 * what is done with an id once it is made. Windows, not this margin, keep two holders' ids apart.
 */
export const LEASE_MARGIN_MS = 250

/**
 * The time by which ids are stamped: the host's wall clock or, with a lease, the time since the start of its
 * window by the monotonic clock, in which no wall clock has a say.
 */
export class IdTime {
  #clock: Clock
  #lease: WorkerLease | null
  readonly #startMs: number
  /** The millisecond that was told last, and between which readings of the monotonic clock it stays true. */
  #toldMs = 0
  #sinceMs = Number.POSITIVE_INFINITY
  #turnsMs = Number.NEGATIVE_INFINITY

  constructor(clock: Clock, lease: WorkerLease | null) {
    this.#clock = clock
    this.#lease = lease
    this.#startMs = lease === null ? 0 : (lease.acquiredAtMonotonicMs ?? clock.monotonicMs())
    // Before the event too, `aborted` is looked at whenever the millisecond turns.
    lease?.lost.addEventListener('abort', () => this.#forget(), { once: true })
  }

  /** Unix milliseconds, as the clock gave them; throws while nothing may be stamped at all. */
  nowMs(): number {
    if (this.#lease === null) return this.#clock.now()
    const monotonicMs = this.#clock.monotonicMs()
    if (monotonicMs < this.#turnsMs && monotonicMs >= this.#sinceMs) return this.#toldMs
    return this.#leasedMs(this.#lease, monotonicMs)
  }

  /** The first instant that may not be stamped; infinite if only the layout sets an end. */
  untilMs(): number {
    return this.#lease?.mintUntilMs ?? Number.POSITIVE_INFINITY
  }

  /** After this there is no time: every call is `CLOSED`. */
  stop(): void {
    this.#forget()
    this.#clock = stoppedClock
    this.#lease = null
  }

  #leasedMs(lease: WorkerLease, monotonicMs: number): number {
    const endMs = lease.expiresAtMonotonicMs
    if (lease.lost.aborted || !(monotonicMs < endMs)) throw new LeaseLostError(lease.worker, false)
    const elapsedMs = Math.floor(Math.max(0, monotonicMs - this.#startMs))
    const nowMs = lease.mintFromMs + elapsedMs
    // Until the end an extension may still come.
    if (!(monotonicMs < endMs - LEASE_MARGIN_MS) || !(nowMs < lease.mintUntilMs))
      throw new LeaseLostError(lease.worker, true)
    // The ends only become later, and `lost` has a listener.
    this.#toldMs = nowMs
    this.#sinceMs = monotonicMs
    this.#turnsMs = Math.min(this.#startMs + elapsedMs + 1, endMs - LEASE_MARGIN_MS)
    return nowMs
  }

  #forget(): void {
    this.#turnsMs = Number.NEGATIVE_INFINITY
  }
}

const stoppedClock: Clock = { now: stopped, monotonicMs: stopped }

function stopped(): never {
  throw new ClosedError('the allocator')
}

/**
 * The millisecond that an instant lies in.
 * @throws InvalidArgumentError if the clock gave no time
 */
export function wholeMs(ms: number): number {
  const whole = Math.floor(ms)
  if (Number.isSafeInteger(whole)) return whole
  throw new InvalidArgumentError(`the clock gave ${String(ms)}`)
}
