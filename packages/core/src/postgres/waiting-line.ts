import { Deadlines, type Late } from '../deadlines.ts'
import { AbortedError, BusyError } from '../driver-errors.ts'
import type { Connection } from './connection.ts'

/** Somebody who waits for a connection. */
export interface Waiter extends Late {
  give(connection: Connection): void
  refuse(error: unknown): void
}

/** First come, first served; nobody waits for ever. */
export class WaitingLine {
  readonly #waiting = new Set<Waiter>()
  readonly #deadlines: Deadlines
  readonly #onLeave: () => void

  /** `onLeave` is called after somebody was refused or gave up. */
  constructor(waitTimeoutMs: number, onLeave: () => void) {
    this.#deadlines = new Deadlines(waitTimeoutMs)
    this.#onLeave = onLeave
  }

  get length(): number {
    return this.#waiting.size
  }

  get first(): Waiter | undefined {
    const [first] = this.#waiting
    return first
  }

  /**
   * Stands in line.
   * @throws BusyError (retryable) after the time-out; AbortedError
   */
  join(signal: AbortSignal | undefined): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const abort = (): void => waiter.refuse(new AbortedError(signal?.reason))
      const leave = (): void => {
        this.#waiting.delete(waiter)
        this.#deadlines.delete(waiter)
        signal?.removeEventListener('abort', abort)
      }
      const waiter: Waiter = {
        give(connection) {
          leave()
          resolve(connection)
        },
        refuse: (error) => {
          leave()
          reject(error)
          this.#onLeave()
        },
        late: () => waiter.refuse(new BusyError(new Error('no connection was to be had in time'))),
      }
      signal?.addEventListener('abort', abort, { once: true })
      this.#waiting.add(waiter)
      this.#deadlines.add(waiter)
    })
  }

  /** Sends everybody away. */
  refuse(error: unknown): void {
    for (const waiter of [...this.#waiting]) waiter.refuse(error)
  }
}
