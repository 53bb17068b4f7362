import { compareKeys, type OrderTerm, type Row } from '../src/fan-out/order.ts'
import { spellingOf } from '../src/fan-out/spelling.ts'

/** Compares whole rows of SQLite as a fan-out's merge does. */
export function compareRows(terms: readonly OrderTerm[]): (a: Row, b: Row) => number {
  const [kind] = spellingOf('sqlite').kinds('', [null])
  const compare = compareKeys(terms, false)
  const keyOf = (row: Row) =>
    terms.map(({ column }) => (row[column] == null ? null : (kind?.read(row[column]) ?? null)))
  return (a, b) => compare(keyOf(a), keyOf(b))
}
