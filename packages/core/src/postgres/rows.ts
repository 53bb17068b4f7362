import { InvalidArgumentError } from '../errors.ts'
import type { PostgresColumn, PostgresRows } from './client.ts'

/** Object identifiers of types: https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat */
const INT8 = 20
const INT2 = 21
const INT4 = 23
const OID = 26
const NUMERIC = 1700

/**
 * Reads integers by their column: int8 as bigint, and so what the server computes as a narrower integer
 * (it belongs to no table); numeric stays exact text. Changes the rows in place.
 * @throws InvalidArgumentError if the driver was set to read int8 or numeric as a JS number
 */
export function readRows(result: PostgresRows, columns: readonly PostgresColumn[]): readonly unknown[] {
  // After a statement that failed between two rows the driver leaves holes at the start of the next result.
  const rows = result.length > 0 && !(0 in result) ? Object.values(result) : result
  for (const { name, type, table } of columns) {
    if (isBigint(type, table)) {
      for (const row of rows) row[name] = toBigint(name, row[name], type)
    } else if (type === NUMERIC) {
      for (const row of rows) if (typeof row[name] === 'number') throw lossy(name)
    }
  }
  return rows
}

/** Is a column of this type a bigint? Int8 is, and a narrower integer that belongs to no table. */
export function isBigint(type: number, table: number): boolean {
  return type === INT8 || (table === 0 && (type === INT2 || type === INT4 || type === OID))
}

function toBigint(name: string, value: unknown, type: number): unknown {
  if (typeof value === 'string') return BigInt(value)
  if (typeof value !== 'number') return value
  if (type === INT8) throw lossy(name)
  return BigInt(value)
}

function lossy(name: string): InvalidArgumentError {
  return new InvalidArgumentError(
    `the driver is set to read column ${name} as a JS number, which rounds: remove that type from its options`,
  )
}
