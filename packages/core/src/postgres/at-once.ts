type Later = typeof globalThis.setImmediate

/**
 * Runs `send`, and has the driver write what it sends at once. By itself postgres.js 3.4 writes a small message
 * in the next turn of the event loop; if the socket closes before, it forgets to do so, and never writes again
 * on that slot of its pool: whoever gets the slot waits for ever (https://github.com/porsager/postgres/issues/1208).
 * For as long as `send` runs, and nothing else can, `setImmediate` is a function that knows the driver's own.
 */
export function atOnce(send: () => void): void {
  const later = globalThis.setImmediate
  let write: (() => void) | undefined
  const knowing = (callback: () => void, ...rest: []): unknown => {
    if (callback.name !== 'nextWrite') return later(callback, ...rest)
    write = callback
    return later(() => {})
  }
  globalThis.setImmediate = knowing as unknown as Later
  try {
    send()
  } finally {
    globalThis.setImmediate = later
  }
  write?.()
}

/**
 * Knows whether the event loop has turned since it was made. What the driver writes in a later turn than that of
 * the answer which it had, it may forget as above; after a timer it does not.
 */
export class Turn {
  #isOver = false

  constructor() {
    setImmediate(() => {
      this.#isOver = true
    })
  }

  /** Resolves when the driver may write. */
  async safe(): Promise<void> {
    if (this.#isOver) await new Promise((resolve) => setTimeout(resolve))
  }
}
