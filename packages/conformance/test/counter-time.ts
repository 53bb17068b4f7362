import { AbortedError, type Clock, type Delay } from '@shard/core'

interface Timer {
  readonly atMs: number
  readonly order: number
  fire(): void
}

/** Time that stands still while anything can be done without it, and then leaps to the next timer. */
export class VirtualTime implements Clock {
  #nowMs = 0
  #order = 0
  readonly #timers = new Set<Timer>()

  now(): number {
    return Date.UTC(2026, 0) + this.#nowMs
  }

  monotonicMs(): number {
    return this.#nowMs
  }

  readonly delay: Delay = (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(new AbortedError(signal.reason))
      const leave = (): void => {
        this.#timers.delete(timer)
        signal?.removeEventListener('abort', abort)
      }
      const fire = (): void => {
        leave()
        resolve()
      }
      const abort = (): void => {
        leave()
        reject(new AbortedError(signal?.reason))
      }
      const timer = { atMs: this.#nowMs + ms, order: this.#order++, fire }
      signal?.addEventListener('abort', abort, { once: true })
      this.#timers.add(timer)
    })

  /** Timers that nobody has ended. */
  get pending(): number {
    return this.#timers.size
  }

  /** Lets time pass until `work` has ended; what `work` gives. */
  async run<T>(work: Promise<T>): Promise<T> {
    const ended = { isTrue: false }
    const mark = (): void => {
      ended.isTrue = true
    }
    work.then(mark, mark)
    for (let idle = 0; !ended.isTrue; ) {
      // All that needs no time is done before the loop of events turns.
      await new Promise(setImmediate)
      if (ended.isTrue) break
      const next = this.#next()
      if (next) {
        idle = 0
        this.#nowMs = next.atMs
        next.fire()
      } else if (++idle > 1_000) throw new Error('nothing will ever happen again')
    }
    return work
  }

  #next(): Timer | null {
    let first: Timer | null = null
    for (const timer of this.#timers)
      if (!first || timer.atMs < first.atMs || (timer.atMs === first.atMs && timer.order < first.order))
        first = timer
    return first
  }
}
