import { show } from '../argument.ts'
import { InvalidArgumentError } from '../errors.ts'
import { compareDecimals, type Decimal, decimalOf } from './decimal.ts'

/** `text` sorts by its UTF-8 bytes; of any other type, text that is a number sorts as that number. */
export type ColumnType = 'text' | 'other'

/** A number of any kind; true and false are 1 and 0. */
export type Numeric = number | bigint | boolean | Decimal

/** A value that rows are ordered by. */
export type Value = Numeric | string | Uint8Array

type Class = 'number' | 'text' | 'bytes'

/** SQLite's order of types: numbers, then text, then blobs. https://www.sqlite.org/datatype3.html */
const ranks: Record<Class, number> = { number: 0, text: 1, bytes: 2 }

/** Values of two classes are never equal. */
export function classOf(value: Value): Class {
  if (typeof value === 'string') return 'text'
  return value instanceof Uint8Array ? 'bytes' : 'number'
}

/** Compares two values as the shards' own ORDER BY does: text by its UTF-8 bytes, NaN above every number. */
export function compareValues(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  const [x, y] = [classOf(a), classOf(b)]
  if (x !== y) return ranks[x] - ranks[y]
  if (x === 'bytes') return compareBytes(a as Uint8Array, b as Uint8Array)
  return compareNumbers(a as Numeric, b as Numeric)
}

/** The refusal of a value whose order cannot be known here, such as a date or JSON. */
export function unordered(value: unknown): InvalidArgumentError {
  return new InvalidArgumentError(
    `rows of many shards cannot be ordered by ${show(value)}: order by a number, text or bytes`,
  )
}

function compareNumbers(a: Numeric, b: Numeric): number {
  if (typeof a === 'object' || typeof b === 'object') return compareAsDecimals(a, b)
  // NaN is above every number, as PostgreSQL has it.
  if (Number.isNaN(a) || Number.isNaN(b)) return Number(Number.isNaN(a)) - Number(Number.isNaN(b))
  return a < b ? -1 : a > b ? 1 : 0
}

function compareAsDecimals(a: Numeric, b: Numeric): number {
  const finite = (value: Numeric): number | bigint | Decimal =>
    typeof value === 'boolean' ? Number(value) : value
  const [x, y] = [finite(a), finite(b)]
  // What is not finite is a number; any finite number stands for the decimal here.
  if (typeof x === 'number' && !Number.isFinite(x)) return compareNumbers(x, 0)
  if (typeof y === 'number' && !Number.isFinite(y)) return compareNumbers(0, y)
  return compareDecimals(decimalOf(x), decimalOf(y))
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
