import { show } from './argument.ts'
import { InvalidArgumentError } from './errors.ts'

const MIN_INT64 = -(1n << 63n)
const MAX_UINT64 = (1n << 64n) - 1n

/**
 * Refuses what engines would store as something else: `undefined`, NaN (SQLite stores NULL),
 * a lone surrogate (it has no UTF-8), an integer beyond 64 bits, a Date or another object.
 * @throws InvalidArgumentError naming the position, from 1
 */
export function checkParameters(parameters: readonly unknown[]): void {
  for (let i = 0; i < parameters.length; i++) {
    const value = parameters[i]
    if (!isParameter(value)) throw new InvalidArgumentError(`parameter ${i + 1} cannot be ${show(value)}`)
  }
}

function isParameter(value: unknown): boolean {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed()
    case 'bigint':
      return value >= MIN_INT64 && value <= MAX_UINT64
    case 'number':
      return !Number.isNaN(value)
    case 'boolean':
      return true
    default:
      return value === null || value instanceof Uint8Array
  }
}
