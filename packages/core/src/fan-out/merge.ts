import { QueryFailedError } from '../driver-errors.ts'

/** A sorted source of rows. */
export interface Source<Row> {
  /** Its next row; undefined when there is none at hand. */
  readonly head: Row | undefined
  /** Where it stands among the sources: rows that tie come in this order. */
  readonly rank: number
  advance(): void
}

/** The sources that have rows, the one with the least row on top: a binary heap. */
export class Merge<Row, S extends Source<Row>> {
  readonly #sources: S[] = []
  readonly #compare: (a: Row, b: Row) => number

  constructor(sources: readonly S[], compare: (a: Row, b: Row) => number) {
    this.#compare = compare
    for (const source of sources) {
      if (source.head !== undefined) this.#sources.push(source)
    }
    for (let i = this.#sources.length >> 1; i >= 0; i--) this.#sink(i)
  }

  /** The source with the least row; undefined when all are at their end. */
  get top(): S | undefined {
    return this.#sources[0]
  }

  /** Puts the top source, whose head has changed, where it belongs now. */
  settle(): void {
    if (this.#sources[0]?.head === undefined) {
      const last = this.#sources.pop()
      if (last && this.#sources.length > 0) this.#sources[0] = last
    }
    this.#sink(0)
  }

  #sink(from: number): void {
    for (let i = from; ; ) {
      const [left, right] = [2 * i + 1, 2 * i + 2]
      let least = i
      if (this.#isLess(left, least)) least = left
      if (this.#isLess(right, least)) least = right
      if (least === i) return
      const moved = this.#sources[i] as S
      this.#sources[i] = this.#sources[least] as S
      this.#sources[least] = moved
      i = least
    }
  }

  #isLess(i: number, j: number): boolean {
    const [a, b] = [this.#sources[i], this.#sources[j]]
    if (!a || !b) return false
    return (this.#compare(a.head as Row, b.head as Row) || a.rank - b.rank) < 0
  }
}

/** A list as a source. */
class ListSource<Row> implements Source<Row> {
  readonly rank: number
  readonly #rows: readonly Row[]
  #next = 0

  constructor(rows: readonly Row[], rank: number) {
    this.#rows = rows
    this.rank = rank
  }

  get head(): Row | undefined {
    return this.#rows[this.#next]
  }

  advance(): void {
    this.#next++
  }
}

/**
 * The first `count` rows of sorted lists, merged; of rows that tie, those of the earlier list first.
 * @throws QueryFailedError if a list is not sorted by `compare`: its shard has another order than we
 */
export function mergeLists<Row>(
  lists: readonly (readonly Row[])[],
  compare: (a: Row, b: Row) => number,
  count: number,
): Row[] {
  const merge = new Merge(
    lists.map((rows, rank) => new ListSource(rows, rank)),
    compare,
  )
  const merged: Row[] = []
  for (let top = merge.top; top?.head !== undefined && merged.length < count; top = merge.top) {
    merged.push(top.head)
    const before = top.head
    top.advance()
    if (top.head !== undefined && compare(before, top.head) > 0) throw disorder()
    merge.settle()
  }
  return merged
}

function disorder(): QueryFailedError {
  return new QueryFailedError(new Error('a shard gave its rows in another order than was asked for'))
}
