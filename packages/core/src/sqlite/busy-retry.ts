import { checkSignal } from '../argument.ts'
import { type Clock, systemClock } from '../clock.ts'
import { type Delay, delay as timerDelay } from '../delay.ts'
import { isShardError } from '../errors.ts'
import { translate } from './errors.ts'

/** How long, and by what, a busy database is waited for. */
export interface BusyPolicy {
  /** After this long a lock that is still taken becomes `BUSY` (5,000). */
  readonly busyTimeoutMs?: number
  readonly clock?: Clock
  readonly delay?: Delay
  /** A number in [0, 1) that spreads rivals. */
  readonly random?: () => number
}

/** Longest single wait between two attempts. */
const MAX_WAIT_MS = 25

/** Tries `attempt` again while another connection holds the lock, without blocking the event loop. */
export async function retryBusy<T>(policy: BusyPolicy, attempt: () => T, signal?: AbortSignal): Promise<T> {
  const { busyTimeoutMs = 5_000, clock = systemClock, delay = timerDelay, random = Math.random } = policy
  const deadline = clock.monotonicMs() + busyTimeoutMs
  for (let wait = 1; ; wait = Math.min(wait * 2, MAX_WAIT_MS)) {
    checkSignal(signal)
    try {
      return attempt()
    } catch (error) {
      const translated = translate(error)
      if (!isShardError(translated, 'BUSY') || clock.monotonicMs() >= deadline) throw translated
    }
    await delay(wait * (0.5 + random()), signal)
  }
}
