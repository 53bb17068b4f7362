import { show } from '../argument.ts'
import { InvalidArgumentError } from '../errors.ts'
import type { TypeOf } from './column-types.ts'
import { type ColumnType, compareValues } from './compare.ts'

/** One column of a merged order. */
export interface OrderBy {
  readonly column: string
  /** `asc` unless said. */
  readonly direction?: 'asc' | 'desc'
  /** Where nulls go: first in ascending and last in descending order unless said. */
  readonly nulls?: 'first' | 'last'
  /** Read from the database, once per statement, unless said. */
  readonly type?: ColumnType
}

/** An order with nothing left to guess but, perhaps, a type. */
export interface OrderTerm {
  readonly column: string
  readonly direction: 'asc' | 'desc'
  readonly nulls: 'first' | 'last'
  readonly type: ColumnType | null
}

/** @throws InvalidArgumentError for a column, direction, place of nulls or type that does not exist */
export function orderTerms(orderBy: readonly OrderBy[]): readonly OrderTerm[] {
  if (!Array.isArray(orderBy)) throw new InvalidArgumentError(`orderBy is a list, not ${show(orderBy)}`)
  return orderBy.map(
    ({ column, direction = 'asc', nulls = direction === 'asc' ? 'first' : 'last', type = null }) => {
      if (typeof column !== 'string' || column === '')
        throw new InvalidArgumentError(`no such column: ${show(column)}`)
      checkOneOf('a direction', direction, ['asc', 'desc'])
      checkOneOf('the place of nulls', nulls, ['first', 'last'])
      checkOneOf('a type', type, ['text', 'other', null])
      return { column, direction, nulls, type }
    },
  )
}

function checkOneOf(name: string, value: unknown, allowed: readonly unknown[]): void {
  if (allowed.includes(value)) return
  throw new InvalidArgumentError(`${name} is ${allowed.join(' or ')}, not ${show(value)}`)
}

/** The types that the caller named; null where the database is to be asked. */
export function typesSaid(terms: readonly OrderTerm[]): ReadonlyMap<string, ColumnType | null> {
  return new Map(terms.map(({ column, type }) => [column, type]))
}

/** A row as far as an order sees it. */
export type Row = Readonly<Record<string, unknown>>

/**
 * Refuses rows that lack a column of the order, or spell it otherwise than the order does, as some engines allow.
 * @throws InvalidArgumentError
 */
export function checkColumns(rows: readonly Row[], terms: readonly OrderTerm[]): void {
  const row = rows[0]
  const missing = row && terms.find(({ column }) => !Object.hasOwn(row, column))
  if (missing) throw new InvalidArgumentError(`the rows have no column ${show(missing.column)}`)
}

/** Compares rows as the shards' own ORDER BY does; text sorts as text where no type says otherwise. */
export function compareRows(terms: readonly OrderTerm[], typeOf: TypeOf): (a: Row, b: Row) => number {
  return (a, b) => {
    for (const { column, direction, nulls } of terms) {
      const x = a[column] ?? null
      const y = b[column] ?? null
      if (x === null || y === null) {
        if (x !== y) return (x === null) === (nulls === 'first') ? -1 : 1
        continue
      }
      const order = compareValues(x, y, typeOf.get(column) ?? 'text')
      if (order !== 0) return direction === 'asc' ? order : -order
    }
    return 0
  }
}
