import { AbortedError, checkSignal } from '@shard/core'

/** Runs one piece of work at a time, for all who ask while it runs. */
export class SharedFlight<T> {
  readonly #work: () => Promise<T>
  #flight: Promise<T> | null = null

  constructor(work: () => Promise<T>) {
    this.#work = work
  }

  /**
   * Joins the work in flight, or starts it.
   * @throws AbortedError as soon as the signal is aborted; the work goes on for the others
   */
  join(signal: AbortSignal | undefined): Promise<T> {
    checkSignal(signal)
    this.#flight ??= this.#work().finally(() => {
      this.#flight = null
    })
    return signal ? orAborted(this.#flight, signal) : this.#flight
  }
}

function orAborted<T>(flight: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(new AbortedError(signal.reason))
    signal.addEventListener('abort', abort, { once: true })
    const land = (): void => signal.removeEventListener('abort', abort)
    flight.then(resolve, reject).then(land)
  })
}
