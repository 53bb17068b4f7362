import type { DialectName } from '../executor.ts'
import type { ColumnType } from './compare.ts'
import type { OrderTerm } from './order.ts'

/** How an engine spells an order that is the same everywhere: text by its UTF-8 bytes, no padding. */
export interface Spelling {
  quote(name: string): string
  placeholder(position: number): string
  /** An expression that sorts and compares as the merge does. */
  key(column: string, type: ColumnType): string
  /** A parameter that is compared with such an expression. */
  value(placeholder: string, type: ColumnType, value: unknown): string
  /** The least and greatest value under that order, as it was stored. */
  extreme(fn: 'min' | 'max', column: string, type: ColumnType): string
  /** A group's value of a column that it is grouped by, typed as the column is. */
  member(column: string, type: ColumnType): string
  order(column: string, term: OrderTerm, type: ColumnType): string
  /** An expression for the name of a column's type, true also of a null; null where values carry their type. */
  readonly typeOf: ((column: string) => string) | null
  /** Reads that name; null for a type whose order cannot be known here. */
  typeFrom(name: string): ColumnType | null
}

const ansi = (name: string): string => `"${name.replaceAll('"', '""')}"`
const collate = (expression: string): string => `${expression} collate binary`

const sqlite: Spelling = {
  quote: ansi,
  placeholder: () => '?',
  // On a value that is not text the collation has no effect.
  key: collate,
  value: (placeholder) => placeholder,
  extreme: (fn, column) => `${fn}(${collate(column)})`,
  // Any row's value: the rows of a group are alike in every byte.
  member: (column) => column,
  order: (column, { direction, nulls }) => `${collate(column)} ${direction} nulls ${nulls}`,
  typeOf: null,
  typeFrom: () => 'text',
}

const text = (column: string): string => `cast(${column} as text) collate "C"`
const postgresTypes: ReadonlyMap<string, ColumnType> = new Map([
  ...['text', 'character varying', 'character', 'name', 'uuid'].map((name) => [name, 'text'] as const),
  ...['smallint', 'integer', 'bigint', 'numeric', 'real', 'double precision', 'oid', 'boolean', 'bytea'].map(
    (name) => [name, 'other'] as const,
  ),
])

const postgres: Spelling = {
  quote: ansi,
  placeholder: (position) => `$${position}`,
  key: (column, type) => (type === 'text' ? text(column) : column),
  value: (placeholder) => placeholder,
  extreme: (fn, column, type) => `${fn}(${postgres.key(column, type)})`,
  member: (column, type) => (type === 'text' ? postgres.extreme('min', column, type) : column),
  order: (column, { direction, nulls }, type) => `${postgres.key(column, type)} ${direction} nulls ${nulls}`,
  typeOf: (column) => `cast(pg_typeof(${column}) as text)`,
  typeFrom: (name) => postgresTypes.get(name) ?? null,
}

/** UTF-8 bytes, whatever the column's character set and collation. */
const bytes = (expression: string): string => `cast(convert(${expression} using utf8mb4) as binary)`

const mysql: Spelling = {
  quote: (name) => `\`${name.replaceAll('`', '``')}\``,
  placeholder: () => '?',
  key: (column, type) => (type === 'text' ? bytes(column) : column),
  value: (placeholder, type, value) => {
    if (type === 'text') return bytes(placeholder)
    // A decimal comes as text, which the engine would compare in floating point.
    return typeof value === 'string' ? `cast(${placeholder} as decimal(65, 30))` : placeholder
  },
  extreme: (fn, column, type) =>
    type === 'text' ? `convert(${fn}(${bytes(column)}) using utf8mb4)` : `${fn}(${column})`,
  member: (column, type) => (type === 'text' ? mysql.extreme('min', column, type) : column),
  order: (column, { direction, nulls }, type) => {
    const plain = (direction === 'asc') === (nulls === 'first')
    const placed = plain ? '' : `${column} is null ${nulls === 'first' ? 'desc' : 'asc'}, `
    return `${placed}${mysql.key(column, type)} ${direction}`
  },
  typeOf: (column) => `collation(${column})`,
  typeFrom: (name) => (name === 'binary' ? 'other' : 'text'),
}

const spellings: Record<DialectName, Spelling> = { sqlite, postgres, mysql }

/** How an engine spells the parts of a fan-out. */
export function spellingOf(dialect: DialectName): Spelling {
  return spellings[dialect]
}
