import type { Layout } from '../src/layout.ts'
import type { WorkerLease } from '../src/worker-lease.ts'
import type { ManualClock } from './manual-clock.ts'

/** What a test fixes of a lease; the rest is a window of a minute, held for ten seconds. */
export interface LeaseFacts {
  readonly worker?: number
  readonly mintFromMs?: number
  readonly windowMs?: number
  readonly ttlMs?: number
  readonly layout?: Layout
}

/** A lease without a database behind it: it is held, extended and lost as the test says. */
export class ManualLease implements WorkerLease {
  readonly epoch = 1n
  readonly token = 'token'
  readonly worker: number
  readonly layout?: Layout
  readonly mintFromMs: number
  readonly acquiredAtMonotonicMs: number
  mintUntilMs: number
  expiresAtMonotonicMs: number
  readonly #lost = new AbortController()
  readonly lost: AbortSignal = this.#lost.signal
  readonly #clock: ManualClock
  readonly #ttlMs: number
  readonly #windowMs: number

  constructor(clock: ManualClock, facts: LeaseFacts = {}) {
    const { worker = 3, mintFromMs = clock.nowMs, windowMs = 60_000, ttlMs = 10_000, layout } = facts
    this.#clock = clock
    this.#ttlMs = ttlMs
    this.#windowMs = windowMs
    this.worker = worker
    if (layout) this.layout = layout
    this.mintFromMs = mintFromMs
    this.mintUntilMs = mintFromMs + windowMs
    this.acquiredAtMonotonicMs = clock.monotonicMs()
    this.expiresAtMonotonicMs = this.acquiredAtMonotonicMs + ttlMs
  }

  lose(): void {
    this.#lost.abort(new Error('lost'))
  }

  async extend(): Promise<boolean> {
    if (this.lost.aborted || this.#clock.monotonicMs() >= this.expiresAtMonotonicMs) this.lose()
    else {
      this.mintUntilMs += this.#windowMs
      this.expiresAtMonotonicMs = this.#clock.monotonicMs() + this.#ttlMs
    }
    return !this.lost.aborted
  }

  async release(): Promise<boolean> {
    const isHeld = !this.lost.aborted
    this.lose()
    return isHeld
  }

  async close(): Promise<void> {
    this.lose()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
