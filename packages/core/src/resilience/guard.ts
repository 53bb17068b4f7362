import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
  isBrokenCircuitError,
  type RetryPolicy,
  retry,
} from 'cockatiel'
import { checkSignal } from '../argument.ts'
import { AbortedError, BusyError } from '../driver-errors.ts'
import { isShardError } from '../errors.ts'
import type { ResiliencePolicy } from './policy.ts'

/** What says that a database cannot be reached, or does not answer. */
const down: ReadonlySet<string> = new Set(['BUSY', 'CONNECTION_LOST', 'TIMEOUT'])

/** The retries and the breaker of one database. */
export class Guard {
  readonly #retries: RetryPolicy
  readonly #breaker: CircuitBreakerPolicy
  readonly #blameless = new WeakSet<object>()

  constructor(policy: Required<ResiliencePolicy>) {
    this.#retries = retry(handleWhen(isSafeToRepeat), {
      maxAttempts: policy.maxAttempts - 1,
      backoff: new ExponentialBackoff({ initialDelay: policy.initialDelayMs, maxDelay: policy.maxDelayMs }),
    })
    this.#breaker = circuitBreaker(
      handleWhen((error) => this.#isDown(error)),
      { halfOpenAfter: policy.halfOpenAfterMs, breaker: new ConsecutiveBreaker(policy.breakAfter) },
    )
  }

  /**
   * Runs `work`, again if that is safe. An abort ends the wait between two attempts at once.
   * @throws BusyError (retryable, not applied) while the breaker is open
   */
  async run<T>(work: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    checkSignal(signal)
    let working = false
    const attempt = async (): Promise<T> => {
      checkSignal(signal)
      working = true
      try {
        return await this.#throughBreaker(work)
      } finally {
        working = false
      }
    }
    return new Promise<T>((resolve, reject) => {
      // While an attempt runs it is for the attempt to heed its signal: it knows what was applied.
      const abort = (): void => {
        if (!working) reject(new AbortedError(signal?.reason))
      }
      signal?.addEventListener('abort', abort, { once: true })
      this.#retries
        .execute(attempt, signal)
        .then(resolve, (error) => reject(isBrokenCircuitError(error) ? new BusyError(error) : error))
        .finally(() => signal?.removeEventListener('abort', abort))
    })
  }

  /** Runs the work of a transaction that has begun: its errors do not count against this database. */
  async blameless<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof Error) this.#blameless.add(error)
      throw error
    }
  }

  #throughBreaker<T>(work: () => Promise<T>): Promise<T> {
    // The library would wait for the one call that is let through, which may wait for this one.
    if (this.#breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError()
    return this.#breaker.execute(work)
  }

  #isDown(error: unknown): boolean {
    return isShardError(error) && down.has(error.code) && !this.#blameless.has(error)
  }
}

/** By what the error itself says of its call. */
function isSafeToRepeat(error: unknown): boolean {
  return isShardError(error) && error.retryable && error.outcome === 'not-applied'
}
