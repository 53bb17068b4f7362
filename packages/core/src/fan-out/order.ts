import { show } from '../argument.ts'
import { InvalidArgumentError } from '../errors.ts'
import { type ColumnType, classOf, compareValues, type Value } from './compare.ts'

/** One column of a merged order. */
export interface OrderBy {
  readonly column: string
  /** `asc` unless said. */
  readonly direction?: 'asc' | 'desc'
  /** Where nulls go: first in ascending and last in descending order unless said. */
  readonly nulls?: 'first' | 'last'
  /**
   * Only for types whose order the engine's name for them does not tell, such as a domain or an enumeration:
   * all others are read from the database, once per statement, and watched.
   */
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

/** What the caller says of the columns' types. */
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

/** The values of a row that decide its place. */
export type Key = readonly (Value | null)[]

/**
 * Compares rows' keys as the shards' own ORDER BY does. Where values carry no types of their own (`typed`),
 * a column is a number, text or bytes on every shard: with two of them there is no one order.
 * @throws InvalidArgumentError
 */
export function compareKeys(terms: readonly OrderTerm[], typed: boolean): (a: Key, b: Key) => number {
  return (a, b) => {
    for (const [i, term] of terms.entries()) {
      const [x, y] = [a[i] ?? null, b[i] ?? null]
      if (x === null || y === null) {
        if (x !== y) return (x === null) === (term.nulls === 'first') ? -1 : 1
        continue
      }
      if (typed && classOf(x) !== classOf(y)) throw divided(term.column)
      const order = compareValues(x, y)
      if (order !== 0) return term.direction === 'asc' ? order : -order
    }
    return 0
  }
}

/** The refusal of a column that is of one kind here and of another there. */
export function divided(column: string): InvalidArgumentError {
  return new InvalidArgumentError(`column ${show(column)} has values that only SQLite can order together`)
}
