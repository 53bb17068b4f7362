/** Between which bounds waits grow, in milliseconds. */
export interface Backoff {
  /** The longest first wait. */
  readonly baseMs: number
  /** The longest wait of all. */
  readonly capMs: number
}

/** After as many even 1 ms is beyond every cap; without a bound, 0 times infinity would be no number. */
const MOST_DOUBLINGS = 60

/**
 * How long to wait after `attempt` failed attempts, from 1: anything from 0 to a bound that doubles up to the
 * cap. Rivals that failed together part at once that way; no number of attempts overflows a float.
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function backoffMs(attempt: number, random: () => number, { baseMs, capMs }: Backoff): number {
  return random() * Math.min(capMs, baseMs * 2 ** Math.min(attempt - 1, MOST_DOUBLINGS))
}
