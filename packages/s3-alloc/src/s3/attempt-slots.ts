import { AbortedError, type Delay } from '@shard/core'

/** A request that was given up so long ago, and has not ended, is taken for dead. */
const GRACE_MS = 30_000

/**
 * Lets so many requests be under way at once and no more. A request counts until it has ended itself, also when
 * nobody waits for it any more: a store that never answers cannot make them pile up.
 */
export class AttemptSlots {
  #free: number
  readonly #delay: Delay
  readonly #waiting = new Set<() => void>()

  constructor(count: number, delay: Delay) {
    this.#free = count
    this.#delay = delay
  }

  /** @throws AbortedError if the signal ends the wait for a slot */
  async run<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (this.#free === 0) await this.#turn(signal)
    else this.#free--
    const free = this.#freeing(signal)
    try {
      return await work()
    } finally {
      free()
    }
  }

  /** What frees a slot: the end of its request, or much time after it was given up. */
  #freeing(signal: AbortSignal): () => void {
    const ended = new AbortController()
    const free = (): void => {
      if (ended.signal.aborted) return
      ended.abort(null)
      signal.removeEventListener('abort', givenUp)
      const [next] = this.#waiting
      if (next) next()
      else this.#free++
    }
    const givenUp = (): void => void this.#delay(GRACE_MS, ended.signal).then(free, () => {})
    signal.addEventListener('abort', givenUp, { once: true })
    return free
  }

  #turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(enter)
        signal.removeEventListener('abort', abort)
      }
      const enter = (): void => {
        leave()
        resolve()
      }
      const abort = (): void => {
        leave()
        reject(new AbortedError(signal.reason))
      }
      if (signal.aborted) return abort()
      signal.addEventListener('abort', abort, { once: true })
      this.#waiting.add(enter)
    })
  }
}
