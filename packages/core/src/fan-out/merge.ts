import { QueryFailedError } from '../driver-errors.ts'
import type { Keyed } from './keyed.ts'
import type { Key } from './order.ts'

/** A sorted source of rows. */
export interface Source {
  /** What decides the place of its next row; undefined when there is none at hand. */
  readonly key: Key | undefined
  /** Where it stands among the sources: rows that tie come in this order. */
  readonly rank: number
}

/** The sources that have rows, the one with the least row on top: a binary heap. */
export class Merge<S extends Source> {
  readonly #sources: S[] = []
  readonly #compare: (a: Key, b: Key) => number

  constructor(sources: readonly S[], compare: (a: Key, b: Key) => number) {
    this.#compare = compare
    for (const source of sources) {
      if (source.key !== undefined) this.#sources.push(source)
    }
    for (let i = this.#sources.length >> 1; i >= 0; i--) this.#sink(i)
  }

  /** The source with the least row; undefined when all are at their end. */
  get top(): S | undefined {
    return this.#sources[0]
  }

  /** Puts the top source, whose row has changed, where it belongs now. */
  settle(): void {
    if (this.#sources[0]?.key === undefined) {
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
    return (this.#compare(a.key as Key, b.key as Key) || a.rank - b.rank) < 0
  }
}

/** A list as a source. */
class ListSource<Row> implements Source {
  readonly rank: number
  key: Key | undefined
  readonly #list: Keyed<Row>
  #next = -1

  constructor(list: Keyed<Row>, rank: number) {
    this.#list = list
    this.rank = rank
    this.advance()
  }

  get row(): Row {
    return this.#list.rows[this.#next] as Row
  }

  advance(): void {
    this.#next++
    this.key = this.#next < this.#list.rows.length ? this.#list.keyOf(this.#next) : undefined
  }
}

/** Rows in order, each with its key. */
export interface Merged<Row> {
  readonly rows: Row[]
  readonly keys: Key[]
}

/**
 * The first `count` rows of sorted lists, merged; of rows that tie, those of the earlier list first.
 * @throws QueryFailedError if a list is not sorted by `compare`: its shard has another order than we
 */
export function mergeLists<Row>(
  lists: readonly Keyed<Row>[],
  compare: (a: Key, b: Key) => number,
  count: number,
): Merged<Row> {
  const merge = new Merge(
    lists.map((list, rank) => new ListSource(list, rank)),
    compare,
  )
  const merged: Merged<Row> = { rows: [], keys: [] }
  for (let top = merge.top; top?.key !== undefined && merged.rows.length < count; top = merge.top) {
    const { key } = top
    merged.rows.push(top.row)
    merged.keys.push(key)
    top.advance()
    if (top.key !== undefined && compare(key, top.key) > 0) throw disorder()
    merge.settle()
  }
  return merged
}

function disorder(): QueryFailedError {
  return new QueryFailedError(new Error('a shard gave its rows in another order than was asked for'))
}
