import { InvalidArgumentError } from '../errors.ts'
import { compareDecimals, isDecimal } from './decimal.ts'

/** `text` sorts by its UTF-8 bytes; of any other type, text that is a number sorts as that number. */
export type ColumnType = 'text' | 'other'

/** SQLite's order of types: numbers, then text, then blobs. https://www.sqlite.org/datatype3.html */
const rank: Record<string, number> = { number: 0, bigint: 0, boolean: 0, string: 1, object: 2 }

/**
 * Compares two values, neither of them null, as the shards' own ORDER BY does.
 * @throws InvalidArgumentError for a value whose order cannot be known here, such as a date or JSON
 */
export function compareValues(a: unknown, b: unknown, type: ColumnType): number {
  if (type === 'other' && isNumeric(a) && isNumeric(b)) return compareNumbers(a, b)
  const byRank = rankOf(a) - rankOf(b)
  if (byRank !== 0) return byRank
  if (typeof a === 'string') return compareText(a, b as string)
  if (a instanceof Uint8Array) return compareBytes(a, b as Uint8Array)
  return compareNumbers(a as number | bigint, b as number | bigint)
}

function rankOf(value: unknown): number {
  const order = rank[typeof value]
  if (order === undefined || (typeof value === 'object' && !(value instanceof Uint8Array))) {
    throw new InvalidArgumentError(
      'rows of many shards cannot be ordered by a date or JSON: order by a number or text',
    )
  }
  return order
}

function isNumeric(value: unknown): value is string | number | bigint {
  return typeof value === 'string' ? isDecimal(value) : typeof value === 'number' || typeof value === 'bigint'
}

function compareNumbers(a: string | number | bigint, b: string | number | bigint): number {
  if (typeof a === 'string' || typeof b === 'string') return compareDecimals(a, b)
  // NaN is above every number, as PostgreSQL has it.
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
  return a < b ? -1 : a > b ? 1 : 0
}

/**
 * The order of two texts' UTF-8 bytes, which is that of their code points. UTF-16 units sort alike
 * except that surrogates (U+D800 to U+DFFF) stand for code points above U+FFFF.
 */
function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x !== y) return isSurrogate(x) === isSurrogate(y) ? x - y : isSurrogate(x) ? 1 : -1
  }
  return a.length - b.length
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const order = (a[i] as number) - (b[i] as number)
    if (order !== 0) return order
  }
  return a.length - b.length
}
