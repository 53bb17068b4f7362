import type { Dice } from './dice.ts'
import { type Column, SHARDS } from './tables.ts'

// biome-ignore lint/suspicious/noExplicitAny: random statements have no types
export type AnyBuilder = any
// biome-ignore lint/suspicious/noExplicitAny: random statements have no types
export type AnyDb = any

/** Something in FROM, as the rest of a random statement sees it. */
export interface Source {
  readonly alias: string
  /** What `selectFrom` and the joins take. */
  readonly from: AnyBuilder
  readonly columns: readonly Column[]
  /** The column that is taken for the shard key; null if there is none. */
  readonly key: string | null
  /** Is it confined by itself, such as a query that is pinned inside? */
  readonly isPinned: boolean
  /** Is it confined by what was said so far? */
  isConfined: boolean
}

/** A column of a query. */
export type Output = Column

/** How statements are made. */
export class Grammar {
  readonly dice: Dice
  /** How often a rule is broken at a place where it can be; 0: confined by construction. */
  readonly slack: number
  /** Joins beside inner and left ones. */
  readonly joins: readonly string[]
  /** The shard that everything is pinned to. */
  readonly shard: number
  /** The table expressions of the statement. */
  readonly expressions: Source[] = []
  #aliases = 0

  constructor(dice: Dice, slack: number, joins: readonly string[]) {
    this.dice = dice
    this.slack = slack
    this.joins = joins
    this.shard = dice.below(SHARDS)
  }

  slips(): boolean {
    return this.slack > 0 && this.dice.chance(this.slack)
  }

  alias(): string {
    return `${this.dice.pick(['t', 'u', 'messages', 'accounts'])}${++this.#aliases}`
  }

  /** An id of an account on the shard. */
  key(): bigint {
    const shard = this.slips() ? this.dice.below(SHARDS) : this.shard
    const id = BigInt(shard + SHARDS * this.dice.below(3))
    return id === 0n ? 12n : id
  }
}
