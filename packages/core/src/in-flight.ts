/** Counts what has begun and not yet ended. */
export class InFlight {
  #count = 0
  readonly #waiting: (() => void)[] = []

  enter(): void {
    this.#count++
  }

  leave(): void {
    this.#count--
    if (this.#count === 0) for (const resolve of this.#waiting.splice(0)) resolve()
  }

  /** Runs `work` and counts it until it ends. */
  async track<T>(work: () => Promise<T>): Promise<T> {
    this.enter()
    try {
      return await work()
    } finally {
      this.leave()
    }
  }

  /** Resolves when nothing runs any more. */
  ended(): Promise<void> {
    if (this.#count === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#waiting.push(resolve)
    })
  }
}
