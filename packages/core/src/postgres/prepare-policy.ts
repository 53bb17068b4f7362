/** How many statements are prepared on the server, per connection. The driver never forgets one. */
const MAX_PREPARED = 512

/** How many statements that ran once are remembered. */
const MAX_SEEN = 1_024

/** Decides which statements are worth preparing: those that come twice, and only so many. */
export class PreparePolicy {
  readonly #seen = new Set<string>()
  readonly #prepared = new Set<string>()

  /** True if the statement shall be prepared, and reused from then on. */
  admits(sql: string): boolean {
    if (this.#prepared.has(sql)) return true
    if (!this.#seen.delete(sql)) {
      this.#seen.add(sql)
      if (this.#seen.size > MAX_SEEN) this.#seen.delete(this.#seen.values().next().value as string)
      return false
    }
    if (this.#prepared.size < MAX_PREPARED) this.#prepared.add(sql)
    return this.#prepared.has(sql)
  }
}
