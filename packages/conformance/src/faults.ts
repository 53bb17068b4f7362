import type { Route } from '@shard/core'

/**
 * What happens to a call. `drop-request`: the connection breaks before the server hears of it. `drop-reply`: the
 * server does it, then the connection breaks. `kill`: the server is gone, for this call and all later ones.
 */
export type Fault = 'none' | 'drop-request' | 'drop-reply' | 'kill' | { readonly delayMs: number }

/** What asks for a fault; `sql` is `begin` and `commit` for the ends of a transaction. */
export interface FaultyCall {
  readonly kind: 'statement' | 'begin' | 'commit'
  readonly sql: string
  readonly route: Route | undefined
}

/** Says what happens to each call, in the order in which they are made. */
export type FaultPlan = (call: FaultyCall) => Fault

/** The first call meets the first fault, and so on; after the last there are none. */
export function scriptedFaults(...faults: readonly Fault[]): FaultPlan {
  const left = [...faults]
  return () => left.shift() ?? 'none'
}

/** How likely each fault is, from 0 to 1; the rest of the calls meet none. */
export interface FaultRates {
  readonly dropRequest?: number
  readonly dropReply?: number
  readonly kill?: number
  readonly delay?: number
  /** The longest delay (20). */
  readonly maxDelayMs?: number
}

/** Faults by chance. The same seed gives the same faults for the same order of calls. */
export function randomFaults(seed: number, rates: FaultRates): FaultPlan {
  const random = mulberry32(seed)
  const { dropRequest = 0, dropReply = 0, kill = 0, delay = 0, maxDelayMs = 20 } = rates
  return () => {
    let dice = random()
    const falls = (rate: number): boolean => {
      dice -= rate
      return dice < 0
    }
    if (falls(dropRequest)) return 'drop-request'
    if (falls(dropReply)) return 'drop-reply'
    if (falls(kill)) return 'kill'
    return falls(delay) ? { delayMs: Math.ceil(random() * maxDelayMs) } : 'none'
  }
}

/** Random numbers in [0, 1) from a 32-bit seed: https://gist.github.com/tommyettinger/46a874533244883189143505d203312c */
export function mulberry32(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
