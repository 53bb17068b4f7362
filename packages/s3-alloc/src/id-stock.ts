/** Ids that have been taken from the counter and not yet been given to anybody: ascending ranges. */
export class IdStock {
  #left = 0
  /** The range that ids come from now, [next, end); then the others. */
  #next = 0n
  #end = 0n
  #later: { readonly from: bigint; readonly to: bigint }[] = []

  /** How many there are. */
  get left(): number {
    return this.#left
  }

  /** The next one; null if there is none. */
  get peek(): bigint | null {
    return this.#left === 0 ? null : this.#next
  }

  /** Adds [from, to), which lies above all that was added before. */
  add(from: bigint, to: bigint): void {
    if (from === to) return
    this.#left += Number(to - from)
    if (this.#next === this.#end) {
      this.#next = from
      this.#end = to
    } else this.#later.push({ from, to })
  }

  /** Takes one; there must be one. */
  take(): bigint {
    const id = this.#next
    this.#next = id + 1n
    this.#left--
    if (this.#next === this.#end) this.#turn()
    return id
  }

  /** Takes `count`; there must be as many. */
  takeMany(count: number): bigint[] {
    return Array.from({ length: count }, () => this.take())
  }

  /** Forgets all; how many those were. */
  clear(): number {
    const left = this.#left
    this.#left = 0
    this.#next = this.#end
    this.#later = []
    return left
  }

  #turn(): void {
    const range = this.#later.shift()
    if (!range) return
    this.#next = range.from
    this.#end = range.to
  }
}
