/** Knows what has begun and not yet ended. */
export class InFlight {
  readonly #running = new Set<Promise<unknown>>()

  /** Runs `work` and counts it until it ends. */
  async track<T>(work: () => Promise<T>): Promise<T> {
    const running = work()
    this.#running.add(running)
    try {
      return await running
    } finally {
      this.#running.delete(running)
    }
  }

  /** Resolves when all that runs now has ended, well or not. */
  async ended(): Promise<void> {
    await Promise.allSettled(this.#running)
  }
}
