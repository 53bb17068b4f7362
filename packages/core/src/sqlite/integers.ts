import { IntegerOutOfRangeError } from '../driver-errors.ts'
import type { Outcome } from '../errors.ts'

/** Does an integer stay a bigint? In a column declared BIGINT, and computed (no declared type). */
export function staysBigint(type: string | null): boolean {
  return type === null || /^\s*(big\s*int|int8|unsigned\s+big\s*int)/i.test(type)
}

/**
 * The value of a column declared as a narrower integer.
 * @throws IntegerOutOfRangeError if a number cannot hold it
 */
export function narrowInteger(column: string, value: bigint | number, outcome: Outcome): number {
  const number = Number(value)
  if (typeof value === 'number' || Number.isSafeInteger(number)) return number
  throw new IntegerOutOfRangeError(column, value, outcome)
}
