import type { Clock, Delay, Layout, WorkerLease } from '@shard/core'
import type { Lease, LeaseCall } from '@shard/sql'

/** How far stamps may lead the time: the `maxAheadMs` of an allocator with a lease. */
const AHEAD_MS = 5_000

/** An extension is tried after this part of the lease's time, and then as long waited for. */
const EXTENSIONS = 3

/** After one that failed, the next follows after this part. */
const ATTEMPTS = 12

/** How long a window must be for a lease of some duration. */
export function windowOf(ttlMs: number): number {
  return ttlMs + AHEAD_MS
}

/** What a worker number was taken with. */
export interface TakenWorker {
  readonly worker: number
  readonly layout: Layout
  readonly lease: Lease
  readonly ttlMs: number
  /** Before the request. */
  readonly acquiredAtMonotonicMs: number
}

/** What it is held with. */
export interface WorkerSurroundings {
  readonly clock: Clock
  readonly delay: Delay
}

/** A worker number in the hands of its holder, which extends it from time to time. */
export class HeldWorker implements WorkerLease {
  readonly worker: number
  readonly layout: Layout
  readonly mintFromMs: number
  readonly acquiredAtMonotonicMs: number
  readonly #lease: Lease
  readonly #ttlMs: number
  readonly #clock: Clock
  readonly #delay: Delay

  constructor({ clock, delay }: WorkerSurroundings, taken: TakenWorker) {
    this.worker = taken.worker
    this.layout = taken.layout
    this.mintFromMs = taken.lease.markMs - windowOf(taken.ttlMs)
    this.acquiredAtMonotonicMs = taken.acquiredAtMonotonicMs
    this.#lease = taken.lease
    this.#ttlMs = taken.ttlMs
    this.#clock = clock
    this.#delay = delay
    void this.#keep()
  }

  get epoch(): bigint {
    return this.#lease.epoch
  }

  get token(): string {
    return this.#lease.token
  }

  get mintUntilMs(): number {
    return this.#lease.markMs
  }

  get expiresAtMonotonicMs(): number {
    return this.#lease.expiresAtMonotonicMs
  }

  get lost(): AbortSignal {
    return this.#lease.lost
  }

  async extend({ signal }: LeaseCall = {}): Promise<boolean> {
    const elapsedMs = Math.max(0, this.#clock.monotonicMs() - this.acquiredAtMonotonicMs)
    const fromMs = this.mintFromMs + Math.ceil(elapsedMs) + windowOf(this.#ttlMs)
    return this.#lease.extend({ reserve: { fromMs, lengthMs: 0 }, signal })
  }

  release(call: LeaseCall = {}): Promise<boolean> {
    return this.#lease.release(call)
  }

  close(): Promise<void> {
    return this.#lease.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Extends until the lease is lost. One that failed, or gave no answer in time, is tried again: it may be applied twice. */
  async #keep(): Promise<void> {
    let waitMs = this.#ttlMs / EXTENSIONS
    while (await this.#wait(waitMs, this.lost)) {
      const isExtended = await this.#extendInTime().catch(() => false)
      waitMs = this.#ttlMs / (isExtended ? EXTENSIONS : ATTEMPTS)
    }
  }

  async #extendInTime(): Promise<boolean> {
    const [late, settled] = [new AbortController(), new AbortController()]
    void this.#wait(this.#ttlMs / EXTENSIONS, settled.signal).then((isLate) => isLate && late.abort())
    try {
      return await this.extend({ signal: late.signal })
    } finally {
      settled.abort()
    }
  }

  /** True after the time, false once the signal is aborted. */
  async #wait(ms: number, signal: AbortSignal): Promise<boolean> {
    await this.#delay(ms, signal).catch(() => {})
    return !signal.aborted
  }
}
