import type { MysqlField } from './driver.ts'

/** Column types: https://dev.mysql.com/doc/dev/mysql-server/latest/field__types_8h.html */
const LONGLONG = 8
/** TINY, SHORT, LONG, INT24. */
const NARROW: ReadonlySet<number> = new Set([1, 2, 3, 9])

/**
 * Reads integers by their column: BIGINT as bigint, and so what the server computes as a narrower integer
 * (it belongs to no table). Changes the rows in place.
 */
export function readRows(
  rows: Record<string, unknown>[],
  fields: readonly MysqlField[],
): Record<string, unknown>[] {
  for (const { name, columnType, orgTable } of fields) {
    if (columnType !== LONGLONG && !(NARROW.has(columnType) && orgTable === '')) continue
    for (const row of rows) {
      const value = row[name]
      if (value !== null) row[name] = BigInt(value as string | number)
    }
  }
  return rows
}
