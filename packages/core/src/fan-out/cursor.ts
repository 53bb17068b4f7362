import { show } from '../argument.ts'
import { InvalidArgumentError } from '../errors.ts'
import type { Statement } from '../executor.ts'
import { hashKey } from '../hash.ts'
import type { Value } from './compare.ts'
import { type Decimal, decimalText, parseDecimal } from './decimal.ts'
import type { Key, OrderTerm } from './order.ts'

/** A value as JSON: [kind, text]. */
type Packed = readonly [kind: string, text: string]

/** Stands for a page that ended between two rows which the order cannot tell apart. */
export const TIED = 'tied'

/** Where a page ended: opaque text, for the same query only. */
export function encodeCursor(query: string, values: Key): string {
  const json = JSON.stringify({ v: 1, q: query, k: values.map(pack) })
  return btoa(String.fromCharCode(...new TextEncoder().encode(json)))
}

/**
 * The order values that a cursor holds.
 * @throws InvalidArgumentError if it is no cursor, or one of another query
 */
export function decodeCursor(cursor: string, query: string): Key {
  if (cursor === TIED) {
    throw new InvalidArgumentError(
      'the page ended within a tie: end the order with a unique column, such as an id',
    )
  }
  let content: { v?: unknown; q?: unknown; k?: unknown }
  try {
    content = JSON.parse(new TextDecoder().decode(Uint8Array.from(atob(cursor), (c) => c.charCodeAt(0))))
    if (content.v === 1 && content.q === query && Array.isArray(content.k)) return content.k.map(unpack)
  } catch {
    throw new InvalidArgumentError(`not a cursor: ${show(cursor)}`)
  }
  throw new InvalidArgumentError('the cursor belongs to another query')
}

/** Two queries share cursors only if statement, parameters and order are the same. */
export function queryHash({ sql, parameters }: Statement, terms: readonly OrderTerm[]): string {
  const order = terms.map(({ column, direction, nulls }) => [column, direction, nulls])
  return hashKey(JSON.stringify([sql, parameters.map(pack), order])).toString(36)
}

function pack(value: unknown): Packed {
  if (value instanceof Uint8Array) return ['bytes', Array.from(value, (byte) => byte.toString(16)).join(' ')]
  if (isDecimal(value)) return ['decimal', decimalText(value)]
  if (typeof value === 'object' && value !== null) {
    throw new InvalidArgumentError(`a cursor cannot hold ${show(value)}`)
  }
  return [value === null ? 'null' : typeof value, String(value)]
}

function isDecimal(value: unknown): value is Decimal {
  return typeof value === 'object' && value !== null && 'unscaled' in value && 'scale' in value
}

const readers: Readonly<Record<string, (text: string) => Value | null>> = {
  null: () => null,
  string: (text) => text,
  bigint: (text) => BigInt(text),
  number: (text) => Number(text),
  decimal: parseDecimal,
  boolean: (text) => text === 'true',
  bytes: (text) => Uint8Array.from(text === '' ? [] : text.split(' '), (byte) => Number.parseInt(byte, 16)),
}

function unpack([kind, text]: Packed): Value | null {
  const read = readers[kind]
  if (!read) throw new InvalidArgumentError(`not a cursor value: ${show(kind)}`)
  return read(text)
}
