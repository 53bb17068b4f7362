import { backoffMs, type Delay, isShardError, delay as timer } from '@shard/core'

/** How a change is made again that an engine refused for the sake of a rival; every field has a default. */
export interface RetryOptions {
  /** How often it is tried in all (10). */
  readonly attempts?: number | undefined
  /** The wait between two attempts (a timer). */
  readonly delay?: Delay | undefined
  /** Spreads the waits of rivals; from 0 up to, but not, 1 (`Math.random`). */
  readonly random?: (() => number) | undefined
}

const waits = { baseMs: 8, capMs: 250 }

/**
 * Runs a change again, whole, while the engine refuses it with `DEADLOCK` or `SERIALIZATION_FAILURE`, which
 * leave nothing of it behind. A change that is a part of the caller's own transaction is not saved by that:
 * there the refusal ends the transaction, and is thrown for the caller to run all of it again.
 * @throws DeadlockError, SerializationFailureError (retryable) when the attempts are used up
 * @throws AbortedError if the signal ends a wait; nothing was applied
 */
export async function retryRefused<T>(
  change: () => Promise<T>,
  { attempts = 10, delay = timer, random = Math.random }: RetryOptions = {},
  signal?: AbortSignal,
): Promise<T> {
  let refusal: unknown = null
  for (let attempt = 1; ; attempt++) {
    try {
      return await change()
    } catch (error) {
      // A transaction around it that the refusal has ended answers with the same error, or with no more than that.
      const isOver = refusal !== null && (error === refusal || isShardError(error, 'QUERY_FAILED'))
      if (isOver) throw refusal
      if (!isRefusal(error) || attempt >= attempts) throw error
      refusal = error
    }
    await delay(backoffMs(attempt, random, waits), signal)
  }
}

function isRefusal(error: unknown): boolean {
  return isShardError(error, 'DEADLOCK') || isShardError(error, 'SERIALIZATION_FAILURE')
}
