/** How waits between attempts grow. */
export interface BackoffOptions {
  /** The longest first wait (20). */
  readonly baseMs?: number | undefined
  /** The longest wait of all (2,000). */
  readonly capMs?: number | undefined
}

/** After as many even 1 ms is beyond every cap; without a bound, 0 times infinity would be no number. */
const MOST_DOUBLINGS = 60

/**
 * How long to wait after `attempt` failed attempts, from 1: anything from 0 to a bound that doubles up to the
 * cap. Rivals that failed together part at once that way; no number of attempts overflows a float.
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/
 */
export function backoffMs(attempt: number, random: () => number, options: BackoffOptions = {}): number {
  const { baseMs = 20, capMs = 2_000 } = options
  return random() * Math.min(capMs, baseMs * 2 ** Math.min(attempt - 1, MOST_DOUBLINGS))
}
