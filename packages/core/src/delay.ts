import { checkNumber, checkSignal } from './argument.ts'
import { AbortedError } from './driver-errors.ts'

/** Resolves after `ms` milliseconds, or rejects with `ABORTED` as soon as the signal is aborted. */
export type Delay = (ms: number, signal?: AbortSignal) => Promise<void>

/** The longest that a timer can wait: https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const MAX_DELAY_MS = 2 ** 31 - 1

/**
 * A timer; leaves no listener on the signal behind.
 * @throws InvalidArgumentError above 2^31-1, where timers would fire at once
 */
export const delay: Delay = (ms, signal) =>
  new Promise((resolve, reject) => {
    checkNumber('a delay in ms', ms, 0, MAX_DELAY_MS)
    checkSignal(signal)
    const end = (): void => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }
    const abort = (): void => {
      clearTimeout(timer)
      reject(new AbortedError(signal?.reason))
    }
    const timer = setTimeout(end, ms)
    signal?.addEventListener('abort', abort, { once: true })
  })
