import type { Columns } from './aggregate-statement.ts'
import { type ColumnType, compareValues } from './compare.ts'
import { addDecimals } from './decimal.ts'

type Sum = bigint | string | number | null
type ShardRow = Readonly<Record<string, unknown>>

/** The figures of one group so far. */
export interface Group {
  readonly group: Record<string, unknown>
  count: bigint
  readonly sum: Record<string, Sum>
  readonly min: Record<string, unknown>
  readonly max: Record<string, unknown>
  readonly avg: Record<string, { sum: Sum; count: bigint }>
}

/** Tells groups apart; a number and the text that looks like it are two. */
export function groupKey(row: ShardRow, { groupBy }: Columns): string {
  return JSON.stringify(
    groupBy.map((_, i) => {
      const value = row[`g${i}`]
      if (value instanceof Uint8Array) return ['bytes', [...value]]
      return [typeof value === 'bigint' ? 'number' : typeof value, String(value)]
    }),
  )
}

/** A group that no row has been added to. */
export function emptyGroup(row: ShardRow, { groupBy }: Columns): Group {
  const group = Object.fromEntries(groupBy.map((column, i) => [column, row[`g${i}`]]))
  // A column may be named as a method of every object is.
  const empty = <T>(): Record<string, T> => Object.create(null) as Record<string, T>
  return { group, count: 0n, sum: empty(), min: empty(), max: empty(), avg: empty() }
}

/** Adds a shard's figures to a group's. */
export function combineRow(
  group: Group,
  row: ShardRow,
  columns: Columns,
  typeOf: ReadonlyMap<string, ColumnType>,
): void {
  group.count += row.c as bigint
  for (const [i, column] of columns.sum.entries()) group.sum[column] = add(group.sum[column], row[`sum${i}`])
  for (const [i, column] of columns.avg.entries()) {
    const { sum, count } = group.avg[column] ?? { sum: null, count: 0n }
    group.avg[column] = { sum: add(sum, row[`avg${i}`]), count: count + (row[`n${i}`] as bigint) }
  }
  const keep = (kept: Record<string, unknown>, column: string, value: unknown, sign: 1 | -1): void => {
    const current = kept[column] ?? null
    const better =
      current === null ||
      (value !== null && sign * compareValues(value, current, typeOf.get(column) ?? 'text') < 0)
    kept[column] = better ? value : current
  }
  for (const [i, column] of columns.min.entries()) keep(group.min, column, row[`min${i}`] ?? null, 1)
  for (const [i, column] of columns.max.entries()) keep(group.max, column, row[`max${i}`] ?? null, -1)
}

/** Floats add as floats; integers, and decimals that come as text, exactly. */
function add(a: Sum | undefined, b: unknown): Sum {
  if (b === null || b === undefined) return a ?? null
  if (typeof b === 'number' || typeof a === 'number') return Number(a ?? 0) + Number(b)
  return addDecimals(a ?? 0n, b as string | bigint)
}
