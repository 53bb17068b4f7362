import type { Columns } from './aggregate-statement.ts'
import { classOf, compareValues, type Value } from './compare.ts'
import { decimalOf, decimalText, shortest } from './decimal.ts'
import { divided } from './order.ts'
import { besideName, type Kinds, kindIn } from './statement.ts'
import { RunningSum, type Sum } from './sum.ts'

type ShardRow = Readonly<Record<string, unknown>>

/** The figures of one group, as they are told. */
export interface GroupFigures {
  readonly group: Record<string, unknown>
  readonly count: bigint
  readonly sum: Record<string, Sum>
  readonly min: Record<string, unknown>
  readonly max: Record<string, unknown>
  readonly avg: Record<string, { sum: Sum; count: bigint }>
}

/** The least or greatest value so far: as it was stored, and as it is compared. */
interface Extreme {
  readonly told: unknown
  readonly value: Value
}

interface Group {
  readonly group: Record<string, unknown>
  count: bigint
  readonly sums: readonly RunningSum[]
  readonly averages: readonly { readonly sum: RunningSum; count: bigint }[]
  readonly least: (Extreme | null)[]
  readonly greatest: (Extreme | null)[]
}

/** Figures over many shards' groups. */
export class Figures {
  readonly #columns: Columns
  readonly #typed: boolean
  readonly #groups = new Map<string, Group>()
  readonly #classes = new Map<string, string>()

  /** `typed` where a column is a number, text or bytes on every shard. */
  constructor(columns: Columns, typed: boolean) {
    this.#columns = columns
    this.#typed = typed
  }

  /**
   * Adds a shard's figures to a group's.
   * @throws InvalidArgumentError for values that cannot be combined
   */
  add(row: ShardRow, kinds: Kinds): void {
    const { sum, min, max } = this.#columns
    const group = this.#groupOf(row, kinds)
    group.count += row.c as bigint
    for (const i of sum.keys()) group.sums[i]?.add(row[`sum${i}`] ?? null, row[`m${i}`] as bigint)
    for (const [i, average] of group.averages.entries()) {
      average.sum.add(row[`avg${i}`] ?? null, row[`n${i}`] as bigint)
      average.count += row[`n${i}`] as bigint
    }
    const keep = (kept: (Extreme | null)[], column: string, i: number, told: unknown, sign: 1 | -1): void => {
      if (told === null) return
      const value = this.#checked(column, kindIn(kinds, column).read(told))
      const current = kept[i] ?? null
      if (current === null || sign * compareValues(value, current.value) < 0) kept[i] = { told, value }
    }
    for (const [i, column] of min.entries()) keep(group.least, column, i, row[`min${i}`] ?? null, 1)
    for (const [i, column] of max.entries()) keep(group.greatest, column, i, row[`max${i}`] ?? null, -1)
  }

  told(): GroupFigures[] {
    const { sum, min, max, avg } = this.#columns
    return [...this.#groups.values()].map(({ group, count, sums, averages, least, greatest }) => ({
      group,
      count,
      sum: named(sum, (i) => sums[i]?.told(this.#typed) ?? null),
      min: named(min, (i) => least[i]?.told ?? null),
      max: named(max, (i) => greatest[i]?.told ?? null),
      avg: named(avg, (i) => ({
        sum: averages[i]?.sum.told(this.#typed) ?? null,
        count: averages[i]?.count ?? 0n,
      })),
    }))
  }

  #groupOf(row: ShardRow, kinds: Kinds): Group {
    const { groupBy, sum, avg } = this.#columns
    const key = JSON.stringify(groupBy.map((column, i) => this.#keyOf(row, column, i, kinds)))
    const known = this.#groups.get(key)
    if (known) return known
    const group: Group = {
      group: Object.fromEntries(groupBy.map((column, i) => [column, row[`g${i}`]])),
      count: 0n,
      sums: sum.map((column) => new RunningSum(column)),
      averages: avg.map((column) => ({ sum: new RunningSum(column), count: 0n })),
      least: [],
      greatest: [],
    }
    this.#groups.set(key, group)
    return group
  }

  /** Alike for values that are equal, however they are written; a number and the text that looks like it are two. */
  #keyOf(row: ShardRow, column: string, i: number, kinds: Kinds): unknown {
    const told = row[`g${i}`] ?? null
    if (told === null) return null
    const value = this.#checked(column, kindIn(kinds, column).read(told, row[besideName(i)]))
    if (typeof value === 'string') return ['text', value]
    if (value instanceof Uint8Array) return ['bytes', ...value]
    const number = typeof value === 'boolean' ? Number(value) : value
    const hasDigits = typeof number !== 'number' || Number.isFinite(number)
    return hasDigits ? decimalText(shortest(decimalOf(number))) : String(number)
  }

  #checked(column: string, value: Value): Value {
    if (!this.#typed) return value
    const known = this.#classes.get(column) ?? classOf(value)
    this.#classes.set(column, known)
    if (known !== classOf(value)) throw divided(column)
    return value
  }
}

/** A column may be named as a method of every object is. */
function named<T>(columns: readonly string[], value: (i: number) => T): Record<string, T> {
  const record = Object.create(null) as Record<string, T>
  for (const [i, column] of columns.entries()) record[column] = value(i)
  return record
}
