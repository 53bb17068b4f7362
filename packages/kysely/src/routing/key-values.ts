import { hashKey, MAX_ID, type RoutingKey } from '@shard/core'
import type { KeyType } from '../tables.ts'

/** A key's value, and the value that the database is to compare with. */
export interface KeyValue {
  readonly key: RoutingKey
  readonly value: unknown
}

/**
 * Reads a value that was given for a key; a text says why it is none. SQL's equality is wider than ours: `'05'` and
 * 5 are equal to MySQL, so that a value of another type could match a row of another key.
 */
export function keyValueOf(
  keyType: KeyType,
  value: unknown,
  isLiteral: boolean,
  takesNumbers: boolean,
): KeyValue | string {
  return keyType === 'id' ? idOf(value, isLiteral, takesNumbers) : textOf(value)
}

function idOf(value: unknown, isLiteral: boolean, takesNumbers: boolean): KeyValue | string {
  if (typeof value === 'bigint')
    return value > 0n && value <= MAX_ID ? { key: value, value } : `${value} is no id`
  if (typeof value === 'number' && (isLiteral || takesNumbers)) {
    return Number.isSafeInteger(value) && value > 0 ? { key: BigInt(value), value } : `${value} is no id`
  }
  // A literal stands in the text already, and a database may compare it as a float.
  if (typeof value === 'string' && !isLiteral && /^[1-9][0-9]{0,18}$/.test(value)) {
    const id = BigInt(value)
    return id <= MAX_ID ? { key: id, value: id } : `${value} is no id`
  }
  return `its value is ${nameOf(value)}, and an id is a bigint`
}

function textOf(value: unknown): KeyValue | string {
  if (typeof value !== 'string') return `its value is ${nameOf(value)}, and the key is text`
  return value.isWellFormed() ? { key: hashKey(value), value } : 'its value has a lone surrogate'
}

function nameOf(value: unknown): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return 'text that is no id'
  return typeof value === 'number' ? 'a number' : `of type ${typeof value}`
}
