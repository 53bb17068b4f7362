import { checkInteger } from '../argument.ts'

/** How often a call is made again, and when a shard is left alone; every field has a default. */
export interface ResiliencePolicy {
  /** How many times a call is made at most, the first included (4). */
  readonly maxAttempts?: number
  /** The wait before the second attempt (50); it doubles from then on, and is spread so that rivals part. */
  readonly initialDelayMs?: number
  /** The longest wait between two attempts (2,000). */
  readonly maxDelayMs?: number
  /** How many failures of a shard's connections in a row open its breaker (5). */
  readonly breakAfter?: number
  /** How long an open breaker refuses every call before it lets one through (10,000). */
  readonly halfOpenAfterMs?: number
}

/**
 * Fills in the defaults.
 * @throws InvalidArgumentError for a field out of range
 */
export function checkPolicy(policy: ResiliencePolicy): Required<ResiliencePolicy> {
  return {
    maxAttempts: checkInteger('maxAttempts', policy.maxAttempts ?? 4, 1, 100),
    initialDelayMs: checkInteger('initialDelayMs', policy.initialDelayMs ?? 50, 0, 2 ** 31 - 1),
    maxDelayMs: checkInteger('maxDelayMs', policy.maxDelayMs ?? 2_000, 0, 2 ** 31 - 1),
    breakAfter: checkInteger('breakAfter', policy.breakAfter ?? 5, 1, 1_000_000),
    halfOpenAfterMs: checkInteger('halfOpenAfterMs', policy.halfOpenAfterMs ?? 10_000, 0, 2 ** 31 - 1),
  }
}
