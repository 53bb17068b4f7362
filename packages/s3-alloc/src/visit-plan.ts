import { ExhaustedError } from '@shard/core'
import type { TakenIds } from './block-taker.ts'
import type { Place } from './waiting-line.ts'

/** What one visit to the counter is to bring: ranges that callers asked for, and a block for the memory. */
export class VisitPlan {
  readonly #ranges: readonly Place<bigint, TakenIds>[]
  readonly #wanted: bigint
  readonly #max: bigint
  #fitting: readonly Place<bigint, TakenIds>[] = []
  #block = 0n

  constructor(ranges: readonly Place<bigint, TakenIds>[], wanted: number, max: bigint) {
    this.#ranges = ranges
    this.#wanted = BigInt(wanted)
    this.#max = max
  }

  /** How many ids to take where `available` are left: each range whole or not at all, the block cut to the rest. */
  size(available: bigint): bigint {
    let left = available
    this.#fitting = this.#ranges.filter(({ request }) => {
      if (request > left) return false
      left -= request
      return true
    })
    this.#block = this.#wanted
    if (left < this.#block) this.#block = left
    return available - left + this.#block
  }

  /** Is the counter at its end, once this is taken? */
  get isLast(): boolean {
    return this.#block < this.#wanted
  }

  /** Gives the ranges their ids, and returns what is left for the block. A range whose caller is gone is lost. */
  deal(taken: TakenIds): TakenIds {
    let from = taken.from
    for (const range of this.#fitting) {
      range.serve({ from, to: from + range.request })
      from += range.request
    }
    return { from, to: taken.to }
  }

  /** Refuses the ranges for which there are not enough ids. */
  refuseOthers(): void {
    for (const range of this.#ranges)
      if (!this.#fitting.includes(range)) range.refuse(new ExhaustedError(this.#max, range.request))
  }
}
