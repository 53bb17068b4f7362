import { checkInteger, checkText, InvalidArgumentError } from '@shard/core'
import type { Reservation } from './lease.ts'

/** The bytes that a `binaryText` column holds on every engine, by the 3 that a UTF-16 unit takes at most. */
const MAX_TEXT = Math.floor(255 / 3)

/** A day. */
const MAX_TTL_MS = 86_400_000

/** The longest stretch of time that can be reserved at once: an hour. */
export const MAX_RESERVED_MS = 3_600_000

/** The last instant that a Date can hold: https://tc39.es/ecma262/#sec-time-values-and-time-range */
const MAX_INSTANT_MS = 8.64e15

export function checkName(name: unknown): string {
  return checkText('the name of a lease', name, MAX_TEXT)
}

export function checkNames(names: unknown): readonly string[] {
  if (!Array.isArray(names)) throw new InvalidArgumentError('the names of leases must be an array')
  return names.map(checkName)
}

export function checkFolder(folder: unknown): string {
  return checkText('the folder of leases', folder, MAX_TEXT - 1)
}

export function checkOwner(owner: unknown): string {
  return checkText('the owner of a lease', owner, MAX_TEXT)
}

export function checkTtl(ttlMs: unknown): number {
  return checkInteger('ttlMs', ttlMs, 1, MAX_TTL_MS)
}

export function checkReservation(reserve: Reservation | undefined): Reservation | undefined {
  if (reserve === undefined) return undefined
  return {
    fromMs: checkInteger('reserve.fromMs', reserve?.fromMs, 0, MAX_INSTANT_MS),
    lengthMs: checkInteger('reserve.lengthMs', reserve?.lengthMs, 0, MAX_RESERVED_MS),
  }
}
