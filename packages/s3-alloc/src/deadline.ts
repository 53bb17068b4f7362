import { AbortedError, checkSignal, type Delay, type Outcome, TimeoutError } from '@shard/core'

/** How long something may take. */
export interface Deadline {
  readonly ms: number
  readonly delay: Delay
  readonly signal?: AbortSignal | undefined
  /** What is to be said of a call that did not end. */
  readonly outcome: Outcome
  /** The cause of the time-out; asked for when it happens. */
  cause(): unknown
}

/**
 * Runs `work` for as long as it may take, whether it heeds its signal or not. It is told when its time is over;
 * what comes of it after that is nobody's. No timer and no listener outlives the call.
 * @throws TimeoutError (retryable), AbortedError
 */
export function within<T>(deadline: Deadline, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { ms, delay, signal, outcome, cause } = deadline
  return new Promise<T>((resolve, reject) => {
    checkSignal(signal)
    const working = new AbortController()
    const waiting = new AbortController()
    const end = (): void => {
      signal?.removeEventListener('abort', abort)
      waiting.abort(null)
    }
    const giveUp = (error: Error): void => {
      end()
      reject(error)
      working.abort(error)
    }
    const abort = (): void => giveUp(new AbortedError(signal?.reason, outcome))
    signal?.addEventListener('abort', abort, { once: true })
    delay(ms, waiting.signal).then(
      () => giveUp(new TimeoutError(cause(), outcome)),
      () => {},
    )
    work(working.signal).then(resolve, reject).finally(end)
  })
}
