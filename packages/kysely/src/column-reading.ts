import { IntegerOutOfRangeError, type Outcome, type Statement } from '@shard/core'
import { narrowInteger } from '@shard/core/adapter'

/** How the values of a result's column are to be read; null: they are right as the driver gives them. */
export interface ColumnReading {
  readonly name: string
  readonly integer: 'bigint' | 'number' | null
}

/**
 * Says how a statement's columns are to be read, without running it. It is asked before each run, so that a
 * change of the schema is never met with an old answer.
 */
export type ColumnsOf = (statement: Statement) => readonly ColumnReading[] | Promise<readonly ColumnReading[]>

type Read = (column: string, value: unknown, outcome: Outcome) => unknown

const readings: Record<'bigint' | 'number', Read> = {
  bigint: (_, value) => BigInt(value as bigint | number | string),
  number: (column, value, outcome) =>
    typeof value === 'bigint' ? narrowInteger(column, value, outcome) : value,
}

/** Reads rows in place by their columns; of two that are named alike, a row has the last. */
export function readColumns(
  rows: readonly Record<string, unknown>[],
  columns: readonly ColumnReading[],
  outcome: Outcome,
): void {
  for (const [name, integer] of new Map(columns.map((column) => [column.name, column.integer]))) {
    if (integer === null) continue
    const read = readings[integer]
    for (const row of rows) if (row[name] !== null) row[name] = read(name, row[name], outcome)
  }
}

/**
 * Refuses whole numbers that may have been rounded, and makes the others numbers, on an engine without int64.
 * A float of 2^53 or more looks the same there, and is refused with them.
 * @throws IntegerOutOfRangeError
 */
export function readNarrow(rows: readonly Record<string, unknown>[], outcome: Outcome): void {
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      const isWhole = typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
      if (!isWhole) continue
      const number = Number(value)
      if (!Number.isSafeInteger(number)) throw new IntegerOutOfRangeError(name, BigInt(value), outcome)
      row[name] = number
    }
  }
}
