import { InvalidArgumentError } from '../errors.ts'
import { classOf, compareValues, type Value } from './compare.ts'
import type { Keyed } from './keyed.ts'
import type { Kind } from './kind.ts'
import type { Key } from './order.ts'

/**
 * Refuses rows whose order their engine left to chance: it sorts by the first bytes of long values only. A
 * list that was cut may lack rows that belong before its last, if that one is alike in those bytes to the one
 * before.
 * @throws InvalidArgumentError
 */
export function checkLongKeys({ rows, keyOf }: Keyed<unknown>, kinds: readonly Kind[], isCut: boolean): void {
  if (!kinds.some(({ sortedBytes }) => sortedBytes !== undefined)) return
  let before: Key | null = null
  for (let i = 0; i < rows.length; i++) {
    const key = keyOf(i)
    if (before !== null && isByChance(before, key, kinds, isCut && i === rows.length - 1)) throw byChance()
    before = key
  }
}

function isByChance(a: Key, b: Key, kinds: readonly Kind[], isLast: boolean): boolean {
  for (const [i, { sortedBytes = Number.POSITIVE_INFINITY }] of kinds.entries()) {
    const [x, y] = [a[i] ?? null, b[i] ?? null]
    if (x === null || y === null) {
      if (x === y) continue
      return false
    }
    const isEqual = compareValues(x, y) === 0
    if (isAlike(x, y, sortedBytes) && (isLast || !isEqual)) return true
    if (!isEqual) return false
  }
  return false
}

/** Are both as long as that, and the same so far? */
function isAlike(x: Value, y: Value, bytes: number): boolean {
  if (classOf(x) === 'number' || classOf(x) !== classOf(y)) return false
  // No character takes more than three bytes per UTF-16 unit.
  if ((x as string | Uint8Array).length * 3 < bytes) return false
  const [a, b] = [bytesOf(x as string | Uint8Array), bytesOf(y as string | Uint8Array)]
  if (a.length < bytes || b.length < bytes) return false
  return compareValues(a.subarray(0, bytes), b.subarray(0, bytes)) === 0
}

function bytesOf(value: string | Uint8Array): Uint8Array {
  return typeof value === 'string' ? new TextEncoder().encode(value) : value
}

function byChance(): InvalidArgumentError {
  return new InvalidArgumentError(
    'values that are alike in all the bytes which the engine sorts by (max_sort_length) have no exact order: ' +
      'order by a shorter column, or by a hash of it',
  )
}
