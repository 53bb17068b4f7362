/** Somebody who waits. */
export interface Late {
  /** Called once the wait has lasted too long. */
  late(): void
}

/** Ends waits that last too long. All may last equally long, so one timer does for all. */
export class Deadlines {
  readonly #ms: number
  /** When each is due; the first is due first. */
  readonly #due = new Map<Late, number>()
  #isTiming = false

  constructor(ms: number) {
    this.#ms = ms
  }

  add(waiting: Late): void {
    this.#due.set(waiting, performance.now() + this.#ms)
    if (!this.#isTiming) this.#time(this.#ms)
  }

  delete(waiting: Late): void {
    this.#due.delete(waiting)
  }

  /** The timer is left to run when nobody waits any more, and does not keep a process alive. */
  #time(ms: number): void {
    this.#isTiming = true
    const timer: { unref?(): void } | number = setTimeout(() => this.#check(), ms)
    if (typeof timer === 'object') timer.unref?.()
  }

  #check(): void {
    this.#isTiming = false
    for (const [waiting, dueMs] of this.#due) {
      const leftMs = dueMs - performance.now()
      if (leftMs > 0) {
        this.#time(leftMs)
        return
      }
      this.#due.delete(waiting)
      waiting.late()
    }
  }
}
