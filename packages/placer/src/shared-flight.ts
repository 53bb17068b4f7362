import { AbortedError, checkSignal } from '@shard/core'

/** What whoever joined is to wait for. */
export interface Joined<T> {
  /** Is it what was asked for? If not, the answer is null: ask again. */
  readonly isShared: boolean
  readonly answer: Promise<T | null>
}

/** Runs one piece of work at a time, for all who ask for the same while it runs. */
export class SharedFlight<K, T> {
  readonly #work: (key: K) => Promise<T>
  #flight: { readonly key: K; readonly landing: Promise<T> } | null = null

  constructor(work: (key: K) => Promise<T>) {
    this.#work = work
  }

  /**
   * Joins the work in flight, or starts it. If what is in flight was asked for with another key, its end is waited
   * for, whatever it is. The answer rejects with `ABORTED` as soon as the signal is aborted; the work goes on for
   * the others.
   * @throws AbortedError
   */
  join(key: K, signal: AbortSignal | undefined): Joined<T> {
    checkSignal(signal)
    this.#flight ??= { key, landing: this.#start(key) }
    const { landing } = this.#flight
    const isShared = this.#flight.key === key
    const answer = isShared ? landing : landing.then(nothing, nothing)
    return { isShared, answer: signal ? orAborted(answer, signal) : answer }
  }

  async #start(key: K): Promise<T> {
    try {
      return await this.#work(key)
    } finally {
      this.#flight = null
    }
  }
}

function nothing(): null {
  return null
}

function orAborted<T>(flight: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new AbortedError(signal.reason))
    signal.addEventListener('abort', abort, { once: true })
    const land = (): void => signal.removeEventListener('abort', abort)
    flight.then(resolve, reject).then(land)
  })
}
