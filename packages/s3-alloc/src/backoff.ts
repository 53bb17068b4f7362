import { backoffMs as boundedMs } from '@shard/core'

/** How waits between attempts grow. */
export interface BackoffOptions {
  /** The longest first wait (20). */
  readonly baseMs?: number | undefined
  /** The longest wait of all (2,000). */
  readonly capMs?: number | undefined
}

/** How long to wait after `attempt` failed attempts, from 1. */
export function backoffMs(attempt: number, random: () => number, options: BackoffOptions = {}): number {
  const { baseMs = 20, capMs = 2_000 } = options
  return boundedMs(attempt, random, { baseMs, capMs })
}
