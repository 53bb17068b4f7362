import { show } from './argument.ts'
import { InvalidArgumentError } from './errors.ts'

/** One column of a merged order. */
export interface OrderBy {
  readonly column: string
  /** `asc` unless said. */
  readonly direction?: 'asc' | 'desc'
  /** Where nulls go: first in ascending and last in descending order unless said. */
  readonly nulls?: 'first' | 'last'
}

/** An order with nothing left to guess. */
export type OrderTerm = Required<OrderBy>

/** @throws InvalidArgumentError for a direction or a place of nulls that does not exist */
export function orderTerms(orderBy: readonly OrderBy[]): readonly OrderTerm[] {
  return orderBy.map(({ column, direction = 'asc', nulls = direction === 'asc' ? 'first' : 'last' }) => {
    if (typeof column !== 'string' || column === '')
      throw new InvalidArgumentError(`no such column: ${show(column)}`)
    if (direction !== 'asc' && direction !== 'desc')
      throw new InvalidArgumentError(`no such direction: ${show(direction)}`)
    if (nulls !== 'first' && nulls !== 'last')
      throw new InvalidArgumentError(`nulls go first or last, not ${show(nulls)}`)
    return { column, direction, nulls }
  })
}

type Row = Readonly<Record<string, unknown>>

/** Compares rows as the shards' own ORDER BY does. */
export function compareRows(terms: readonly OrderTerm[]): (a: Row, b: Row) => number {
  return (a, b) => {
    for (const { column, direction, nulls } of terms) {
      const x = a[column] ?? null
      const y = b[column] ?? null
      if (x === null || y === null) {
        if (x !== y) return (x === null) === (nulls === 'first') ? -1 : 1
        continue
      }
      const order = compareValues(x, y)
      if (order !== 0) return direction === 'asc' ? order : -order
    }
    return 0
  }
}

/** SQLite's order of types: numbers, then text, then blobs. https://www.sqlite.org/datatype3.html */
const rank: Record<string, number> = { number: 0, bigint: 0, boolean: 0, string: 1, object: 2 }

function compareValues(a: unknown, b: unknown): number {
  const byType = (rank[typeof a] ?? 3) - (rank[typeof b] ?? 3)
  if (byType !== 0) return byType
  if (typeof a === 'string') return compareText(a, b as string)
  if (a instanceof Uint8Array) return compareBytes(a, b as Uint8Array)
  const [x, y] = [a as number | bigint, b as number | bigint]
  return x < y ? -1 : x > y ? 1 : 0
}

/**
 * The order of two texts' UTF-8 bytes, which is that of their code points. UTF-16 units sort alike
 * except that surrogates (U+D800 to U+DFFF) stand for code points above U+FFFF.
 */
function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1
  }
  return a.length - b.length
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const order = (a[i] as number) - (b[i] as number)
    if (order !== 0) return order
  }
  return a.length - b.length
}
