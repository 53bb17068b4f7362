import { InvalidArgumentError } from '../errors.ts'
import type { Statement } from '../executor.ts'
import { classOf, type Numeric, unordered, type Value } from './compare.ts'
import { decimalText, parseDecimal } from './decimal.ts'

/** A parameter, and the SQL around its placeholder. */
export interface Operand {
  readonly value: unknown
  sql(placeholder: string): string
}

/** How one engine orders and compares the values of a type, so that the merge can do it alike. */
export interface Kind {
  /** An expression that sorts as the merge does. */
  key(column: string): string
  /** The same for a comparison with an operand, if that takes more. */
  readonly compared?: (column: string) => string
  /**
   * A value as it is compared with such an expression.
   * @throws InvalidArgumentError if the engine could not compare it exactly
   */
  operand(value: Value): Operand
  /** An expression for what the merge must know of a value beyond what a row says. */
  readonly beside?: (column: string) => string
  /**
   * The value as the merge sees it, from a row's, which is not null, and what stands `beside` it, if anything.
   * @throws InvalidArgumentError if its order cannot be known here
   */
  read(value: unknown, beside?: unknown): Value
  /** The least and greatest value under that order, as it was stored. */
  extreme(fn: 'min' | 'max', column: string): string
  /** A group's value of a column that it is grouped by, typed as the column is. */
  member(column: string): string
  /**
   * A condition for rows of a statement which prove that a comparison with this value converts neither side;
   * null if that is certain. Absent where the engine knows a column's type.
   */
  readonly proof?: (statement: string, column: string, value: Value) => Statement | null
  /** How to compare without that proof. */
  readonly unproven?: Kind
  /** How many bytes of a value the engine sorts by, if not all. */
  readonly sortedBytes?: number
}

/** What most kinds have in common. */
export function kindOf(parts: Pick<Kind, 'read' | 'operand'> & Partial<Kind>): Kind {
  const key = parts.key ?? ((column) => column)
  return { key, extreme: (fn, column) => `${fn}(${key(column)})`, member: (column) => column, ...parts }
}

/** A value that is sent as it is. */
export function plain(value: unknown): Operand {
  return { value, sql: (placeholder) => placeholder }
}

/** A value inside a cast, `?` standing for it. */
export function cast(value: unknown, expression: string): Operand {
  return { value, sql: (placeholder) => expression.replace('?', () => placeholder) }
}

/** The refusal of a value from another engine, or another schema, that would be rounded or converted. */
export function inexact(value: Value, type: string): InvalidArgumentError {
  return new InvalidArgumentError(`a ${classOf(value)} value cannot be compared exactly with type ${type}`)
}

/** Operands that are numbers; any other would be compared as something else. */
export function numberOperand(type: string, operand: (value: Numeric) => Operand): Kind['operand'] {
  return (value) => {
    if (typeof value === 'string' || value instanceof Uint8Array) throw inexact(value, type)
    return operand(value)
  }
}

/** Operands that are text. */
export function textOperand(type: string, operand: (value: string) => Operand = plain): Kind['operand'] {
  return (value) => {
    if (typeof value !== 'string') throw inexact(value, type)
    return operand(value)
  }
}

/** Operands that are bytes. */
export function bytesOperand(type: string): Kind['operand'] {
  return (value) => {
    if (!(value instanceof Uint8Array)) throw inexact(value, type)
    return plain(value)
  }
}

export function readText(value: unknown): string {
  if (typeof value === 'string') return value
  throw unordered(value)
}

export function readBytes(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value
  throw unordered(value)
}

const special: Readonly<Record<string, number>> = {
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  '-Infinity': Number.NEGATIVE_INFINITY,
}

/** A number, of which decimals come as text. */
export function readNumber(value: unknown): Value {
  if (typeof value === 'number' || typeof value === 'bigint') return value
  const number = typeof value === 'string' ? (special[value] ?? parseDecimal(value)) : null
  if (number === null) throw unordered(value)
  return number
}

/** A number as text that reads as it. */
export function numberText(value: Numeric): string {
  if (typeof value === 'boolean') return value ? '1' : '0'
  return typeof value === 'object' ? decimalText(value) : String(value)
}
