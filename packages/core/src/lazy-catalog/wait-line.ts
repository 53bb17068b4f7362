import { AbortedError } from '../driver-errors.ts'
import type { ShardId } from '../id.ts'

/** Somebody who waits for a shard. */
export interface Waiter<T> {
  readonly shard: ShardId
  /** True once it has been given something, or has gone by itself. */
  readonly isGone: boolean
  give(result: T | Error): void
}

/** First come, first served; nobody waits for ever. */
export class WaitLine<T> {
  readonly #waiting: Waiter<T>[] = []
  readonly #onLeave: () => void

  /** `onLeave` is called after somebody gave up. */
  constructor(onLeave: () => void) {
    this.#onLeave = onLeave
  }

  get length(): number {
    return this.#waiting.length
  }

  get first(): Waiter<T> | undefined {
    return this.#waiting[0]
  }

  shift(): void {
    this.#waiting.shift()
  }

  /** Puts those who were called too early back to the front. */
  unshift(waiters: readonly Waiter<T>[]): void {
    this.#waiting.unshift(...waiters.filter(({ isGone }) => !isGone))
  }

  /** Sends everybody away. */
  refuse(error: Error): void {
    for (const waiter of this.#waiting.splice(0)) waiter.give(error)
  }

  /** Stands in line until somebody gives a result; `late` makes the error for one who waited too long. */
  join(shard: ShardId, waitMs: number, late: () => Error, signal: AbortSignal | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      let isGone = false
      const leave = (error: Error): void => {
        const at = this.#waiting.indexOf(waiter)
        if (at >= 0) this.#waiting.splice(at, 1)
        waiter.give(error)
        this.#onLeave()
      }
      const timer = setTimeout(() => leave(late()), waitMs)
      const abort = (): void => leave(new AbortedError(signal?.reason))
      const waiter: Waiter<T> = {
        shard,
        get isGone() {
          return isGone
        },
        give: (result) => {
          isGone = true
          clearTimeout(timer)
          signal?.removeEventListener('abort', abort)
          if (result instanceof Error) reject(result)
          else resolve(result)
        },
      }
      signal?.addEventListener('abort', abort, { once: true })
      this.#waiting.push(waiter)
    })
  }
}
