/** Where the time comes from; injected wherever time matters, so that tests own it. */
export interface Clock {
  /** Wall-clock time in unix milliseconds. It may step in either direction. */
  now(): number
  /** Milliseconds since an arbitrary start; never goes back. For deadlines and time-outs. */
  monotonicMs(): number
}

/** The host's clocks. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicMs: () => performance.now(),
}
