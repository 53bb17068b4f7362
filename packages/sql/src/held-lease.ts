import type { Clock, Delay } from '@shard/core'
import type { ExtendOptions, Lease, LeaseCall, Reservation } from './lease.ts'
import { checkReservation, checkTtl } from './lease-arguments.ts'
import type { LeaseClaim, LeaseStore, TakenLease } from './lease-store.ts'

/** What a lease needs around it. */
export interface LeaseSurroundings {
  readonly store: LeaseStore
  readonly clock: Clock
  readonly delay: Delay
}

/** A lease in the hands of its holder, with the deadline that it must keep by itself. */
export class HeldLease implements Lease {
  readonly name: string
  readonly owner: string
  readonly token: string
  readonly epoch: bigint
  readonly #ttlMs: number
  readonly #around: LeaseSurroundings
  readonly #lost = new AbortController()
  #markMs: number
  #deadlineMs: number

  constructor(around: LeaseSurroundings, claim: LeaseClaim, taken: TakenLease, sentAtMs: number) {
    this.name = claim.name
    this.owner = claim.owner
    this.token = claim.token
    this.epoch = taken.epoch
    this.#ttlMs = claim.ttlMs
    this.#around = around
    this.#markMs = taken.markMs
    this.#deadlineMs = sentAtMs + claim.ttlMs
    void this.#watch()
  }

  get markMs(): number {
    return this.#markMs
  }

  get expiresAtMonotonicMs(): number {
    return this.#deadlineMs
  }

  get isHeld(): boolean {
    if (this.#around.clock.monotonicMs() >= this.#deadlineMs) this.#lose()
    return !this.lost.aborted
  }

  get lost(): AbortSignal {
    return this.#lost.signal
  }

  async extend({ ttlMs = this.#ttlMs, reserve, signal }: ExtendOptions = {}): Promise<boolean> {
    checkTtl(ttlMs)
    checkReservation(reserve)
    if (!this.isHeld) return false
    const sentAtMs = this.#around.clock.monotonicMs()
    const { name, owner, token } = this
    const extended = await this.#around.store.extend({ name, owner, token, ttlMs, reserve }, { signal })
    // What has been announced as lost stays so, whatever the database says by now.
    if (extended && this.isHeld) {
      this.#deadlineMs = Math.max(this.#deadlineMs, sentAtMs + ttlMs)
      if (reserve) this.#markMs = markAfter(this.#markMs, reserve)
    } else this.#lose()
    return this.isHeld
  }

  async release(call: LeaseCall = {}): Promise<boolean> {
    this.#lose()
    return this.#around.store.release(this.name, this.token, call)
  }

  async close(): Promise<void> {
    await this.release()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Ends when the lease is lost. */
  async #watch(): Promise<void> {
    const { clock, delay } = this.#around
    while (this.isHeld) {
      const leftMs = Math.max(0, this.#deadlineMs - clock.monotonicMs())
      await delay(leftMs, this.lost).catch(() => {})
    }
  }

  #lose(): void {
    this.#lost.abort(new Error(`the lease ${this.name} is lost`))
  }
}

/** The mark after a reservation. */
export function markAfter(markMs: number, { fromMs, lengthMs }: Reservation): number {
  return Math.max(markMs, fromMs) + lengthMs
}
