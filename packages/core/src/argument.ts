import { AbortedError } from './driver-errors.ts'
import { InvalidArgumentError } from './errors.ts'

/** A value as an error message may show it: short, and never mistaken for another type. */
export function show(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'an array' : 'an object'
  if (typeof value === 'function') return 'a function'
  const text = typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : String(value)
  return typeof value === 'string' && value.length > 80 ? `${text}...` : text
}

/**
 * Returns `value` if it is a whole number from `min` to `max`.
 * @throws InvalidArgumentError naming the value and the range
 */
export function checkInteger(name: string, value: unknown, min: number, max: number): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= min && value <= max) return value
  throw new InvalidArgumentError(`${name} must be a whole number from ${min} to ${max}, not ${show(value)}`)
}

/**
 * Returns `value` if it is a number (not NaN) from `min` to `max`, fractions and infinity included.
 * @throws InvalidArgumentError naming the value and the range
 */
export function checkNumber(name: string, value: unknown, min: number, max: number): number {
  if (typeof value === 'number' && value >= min && value <= max) return value
  throw new InvalidArgumentError(`${name} must be a number from ${min} to ${max}, not ${show(value)}`)
}

/**
 * Returns `value` if it is a bigint from `min` to `max`.
 * @throws InvalidArgumentError naming the value and the range
 */
export function checkBigint(name: string, value: unknown, min: bigint, max: bigint): bigint {
  if (typeof value === 'bigint' && value >= min && value <= max) return value
  throw new InvalidArgumentError(`${name} must be a bigint from ${min} to ${max}, not ${show(value)}`)
}

/**
 * Returns `value` if it is text of 1 to `maxLength` UTF-16 units that every engine can store:
 * no NUL (Postgres refuses it) and no lone surrogate (it has no UTF-8).
 * @throws InvalidArgumentError naming the value
 */
export function checkText(name: string, value: unknown, maxLength: number): string {
  if (
    typeof value === 'string' &&
    value.length > 0 &&
    value.length <= maxLength &&
    !value.includes('\0') &&
    !/\p{Surrogate}/u.test(value)
  )
    return value
  throw new InvalidArgumentError(
    `${name} must be text of 1 to ${maxLength} characters without NUL or lone surrogates, not ${show(value)}`,
  )
}

/**
 * Ends the call if its signal has been aborted.
 * @throws AbortedError with the signal's reason as its cause
 */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new AbortedError(signal.reason)
}
