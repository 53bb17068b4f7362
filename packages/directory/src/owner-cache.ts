import type { Clock, Id } from '@shard/core'
import { LRUCache } from 'lru-cache'

/** When an answer was asked for: what it says is that old, and void if something was dropped since. */
export interface Filling {
  readonly generation: number
  readonly startMs: number
}

/** The owners of texts, the least recently used forgotten first, and what has to be forgotten at once. */
export class OwnerCache {
  readonly #owners: LRUCache<string, Id>
  /** The texts that are kept for an id. */
  readonly #texts = new Map<Id, Set<string>>()
  readonly #clock: Clock
  #generation = 0

  constructor(max: number, ttlMs: number, clock: Clock) {
    this.#clock = clock
    this.#owners = new LRUCache({
      max,
      ttl: ttlMs,
      // Each look asks the clock: an answer that is too old by a moment is too old.
      ttlResolution: 0,
      perf: { now: () => clock.monotonicMs() },
      dispose: (id, text) => this.#forget(id, text),
    })
  }

  get(text: string): Id | undefined {
    return this.#owners.get(text)
  }

  /** Before the database is asked. */
  begin(): Filling {
    return { generation: this.#generation, startMs: this.#clock.monotonicMs() }
  }

  /** After it has answered. An answer from before something was dropped might bring that back, and is not kept. */
  end({ generation, startMs }: Filling, text: string, id: Id): void {
    if (generation !== this.#generation) return
    this.#owners.set(text, id, { start: startMs })
    const texts = this.#texts.get(id)
    if (texts) texts.add(text)
    else this.#texts.set(id, new Set([text]))
  }

  /** Forgets what a change concerns when it has ended, however it ended. */
  async dropping<T>(what: Id | 'all' | 'none', change: Promise<T>): Promise<T> {
    try {
      return await change
    } finally {
      if (what !== 'none') this.#drop(what)
    }
  }

  #drop(what: Id | 'all'): void {
    this.#generation++
    if (what === 'all') this.#owners.clear()
    else for (const text of [...(this.#texts.get(what) ?? [])]) this.#owners.delete(text)
  }

  #forget(id: Id, text: string): void {
    const texts = this.#texts.get(id)
    texts?.delete(text)
    if (texts?.size === 0) this.#texts.delete(id)
  }
}
