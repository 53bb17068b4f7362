import { type Aggregate, InvalidArgumentError } from '@shard/core'
import type { SelectQueryNode } from '../tree.ts'
import type { FigureColumn } from './figures.ts'
import { outputNamed, senseOf } from './merge-order.ts'
import { type Cut, cannotCombine } from './select-parts.ts'

type Row = Record<string, unknown>

/** What the rows of figures are ordered by. */
export type FigureOrder = readonly (ReturnType<typeof senseOf> & { readonly name: string })[]

/** @throws UnroutedError for an order by what is not selected */
export function figureOrderOf(node: SelectQueryNode, nullsInAscending: 'first' | 'last'): FigureOrder {
  return (node.orderBy?.items ?? []).map((item) => {
    const name = outputNamed(node, item.orderBy)
    if (name === null) throw cannotCombine('figures are ordered by what is not selected')
    return { name, ...senseOf(item, nullsInAscending) }
  })
}

/** The rows of a query of figures, in its order and no more of them than it wants. */
export function figureRows(
  columns: readonly FigureColumn[],
  aggregates: readonly Aggregate[],
  order: FigureOrder,
  { limit, offset }: Cut,
): Row[] {
  const rows = aggregates.map((one) =>
    Object.fromEntries(columns.map((column) => [column.name, figureIn(one, column)])),
  )
  const terms = order.map((term) => ({ ...term, compare: comparing(rows, term.name) }))
  rows.sort((a, b) => {
    for (const { name, direction, nulls, compare } of terms) {
      const [x, y] = [a[name] ?? null, b[name] ?? null]
      if (x === null && y === null) continue
      if (x === null || y === null) return (x === null) === (nulls === 'first') ? -1 : 1
      const order = compare(x, y)
      if (order !== 0) return direction === 'asc' ? order : -order
    }
    return 0
  })
  return rows.slice(offset, limit === null ? undefined : offset + limit)
}

/** A figure; an average is a number, and null of no values. */
function figureIn({ group, count, sum, min, max, avg }: Aggregate, { kind, column }: FigureColumn): unknown {
  switch (kind) {
    case 'rows':
      return count
    case 'count':
      return BigInt(sum[column] ?? 0n)
    case 'avg': {
      const { sum: total = null, count: values = 0n } = avg[column] ?? {}
      return total === null || values === 0n ? null : Number(total) / Number(values)
    }
    case 'group':
      return group[column] ?? null
    default:
      return { sum, min, max }[kind][column] ?? null
  }
}

type Compare = (a: unknown, b: unknown) => number

/**
 * How the values of a column compare. Text that is a number comes from a decimal column as well as from a text one:
 * where that would make a difference, it is refused.
 */
function comparing(rows: readonly Row[], name: string): Compare {
  const values = rows.map((row) => row[name]).filter((value) => value !== null && value !== undefined)
  if (values.every((value) => typeof value !== 'string')) return compareValues
  const isDecimal = values.every((value) => /^-?\d+(?:\.\d+)?$/.test(String(value)))
  const asNumbers: Compare = (a, b) => Number(a) - Number(b)
  if (!isDecimal) return compareValues
  const sorted = values.toSorted(compareValues).map(String)
  const isSame = values.toSorted(asNumbers).every((value, i) => String(value) === sorted[i])
  if (isSame) return compareValues
  throw new InvalidArgumentError(
    `whether ${JSON.stringify(name)} is text or a number is not known: order its rows yourself`,
  )
}

function compareValues(a: unknown, b: unknown): number {
  const [x, y] = [bytesOf(a), bytesOf(b)]
  if (x !== null && y !== null) return compareBytes(x, y)
  const [m, n] = [a as number | bigint, b as number | bigint]
  return m < n ? -1 : m > n ? 1 : 0
}

const encoder = new TextEncoder()

function bytesOf(value: unknown): Uint8Array | null {
  if (typeof value === 'string') return encoder.encode(value)
  return value instanceof Uint8Array ? value : null
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const at = a.findIndex((byte, i) => byte !== b[i])
  if (at === -1) return a.length - b.length
  return (a[at] as number) - (b[at] ?? -1)
}
