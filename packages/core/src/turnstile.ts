import { checkSignal } from './argument.ts'
import { AbortedError } from './driver-errors.ts'

/** Lets one holder through at a time, first come, first served. */
export class Turnstile {
  #taken = false
  readonly #waiting: (() => void)[] = []

  /** True while somebody is inside. */
  get taken(): boolean {
    return this.#taken
  }

  /**
   * Waits for a turn; the holder must call `leave` once.
   * @throws AbortedError when the signal ends the wait
   */
  async enter(signal?: AbortSignal): Promise<void> {
    checkSignal(signal)
    if (!this.#taken) {
      this.#taken = true
      return
    }
    await new Promise<void>((resolve, reject) => {
      const turn = (): void => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }
      const abort = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(turn), 1)
        reject(new AbortedError(signal?.reason))
      }
      this.#waiting.push(turn)
      signal?.addEventListener('abort', abort, { once: true })
    })
  }

  /** Hands the turn to whoever waits longest. */
  leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#taken = false
  }
}
