import {
  checkBigint,
  checkInteger,
  checkNumber,
  checkText,
  InvalidArgumentError,
  type ShardId,
} from '@shard/core'
import type { Capacity, ChangeNote, Measurement, ShardInput } from './registry.ts'
import { legalTransitions, type ShardStatus, statuses } from './shard.ts'

// What both adapters ask of their arguments, before any I/O.

const MAX_INT64 = 2n ** 63n - 1n

/** @throws InvalidArgumentError unless it is a whole number from 0 to 2^24-1 */
export function checkShardId(id: ShardId): ShardId {
  return checkInteger('a shard number', id, 0, 2 ** 24 - 1)
}

/** @throws InvalidArgumentError unless it can be a record's version */
export function checkVersion(version: bigint): bigint {
  return checkBigint('a version', version, 1n, MAX_INT64)
}

/** @throws InvalidArgumentError for a number of bytes that is no bigint from 0 on */
export function checkBytes(name: string, bytes: bigint): bigint {
  return checkBigint(name, bytes, 0n, MAX_INT64)
}

/** An input with its defaults in place. */
export type CheckedInput = { readonly [K in keyof ShardInput]-?: Exclude<ShardInput[K], undefined> }

/** @throws InvalidArgumentError naming the first bad field */
export function checkInput(input: ShardInput): CheckedInput {
  return {
    id: checkShardId(input.id),
    name: checkText('the name of a shard', input.name, 128),
    status: checkStatus(input.status),
    databaseId: optionalText('databaseId', input.databaseId, 255),
    region: optionalText('region', input.region, 63),
    sizeBytes: checkBytes('sizeBytes', input.sizeBytes ?? 0n),
    schemaVersion: checkSchemaVersion(input.schemaVersion ?? 0n),
    maxBytes: null,
    admitThreshold: 0.5,
    hardThreshold: 0.9,
    ...checkCapacity(input),
  }
}

/** @throws InvalidArgumentError unless it is a bigint from 0 on */
export function checkSchemaVersion(version: bigint): bigint {
  return checkBigint('schemaVersion', version, 0n, MAX_INT64)
}

/** @throws InvalidArgumentError for a bad id, number of keys or version */
export function checkReservation(id: ShardId, count: number, expectedVersion: bigint): void {
  checkShardId(id)
  checkInteger('a number of keys to reserve', count, 1, 2 ** 31 - 1)
  checkVersion(expectedVersion)
}

/** What is said of a measured size, without the signal. */
export type CheckedMeasurement = { readonly [K in 'fileBytes' | 'reservedBefore']?: bigint }

/** @throws InvalidArgumentError for a number of bytes or keys that is no bigint from 0 on */
export function checkMeasurement({ fileBytes, reservedBefore }: Measurement): CheckedMeasurement {
  return {
    ...(fileBytes === undefined ? {} : { fileBytes: checkBytes('fileBytes', fileBytes) }),
    ...(reservedBefore === undefined ? {} : { reservedBefore: checkBytes('reservedBefore', reservedBefore) }),
  }
}

/** The fields that are to change. */
export type CheckedCapacity = { [K in keyof Capacity]?: Exclude<Capacity[K], undefined> }

/** @throws InvalidArgumentError for NaN, a threshold outside (0, 1], a limit below one byte */
export function checkCapacity({ maxBytes, admitThreshold, hardThreshold }: Capacity): CheckedCapacity {
  return {
    ...(maxBytes === undefined
      ? {}
      : { maxBytes: maxBytes === null ? null : checkBigint('maxBytes', maxBytes, 1n, MAX_INT64) }),
    ...(admitThreshold === undefined
      ? {}
      : { admitThreshold: checkThreshold('admitThreshold', admitThreshold) }),
    ...(hardThreshold === undefined ? {} : { hardThreshold: checkThreshold('hardThreshold', hardThreshold) }),
  }
}

/**
 * As `checkCapacity`, for a change.
 * @throws InvalidArgumentError also if nothing is given
 */
export function checkCapacityChange(capacity: Capacity): CheckedCapacity {
  const fields = checkCapacity(capacity)
  if (Object.keys(fields).length > 0) return fields
  throw new InvalidArgumentError('give maxBytes, admitThreshold or hardThreshold')
}

/** @throws InvalidArgumentError unless the change is in `legalTransitions` */
export function checkTransition(from: ShardStatus, to: ShardStatus): void {
  if (legalTransitions[checkStatus(from)].includes(checkStatus(to))) return
  throw new InvalidArgumentError(`a shard does not go from ${from} to ${to}`)
}

/** @throws InvalidArgumentError for a bad id or version, or a shard that is to succeed itself */
export function checkSwap(fullId: ShardId | null, standbyId: ShardId, expectedVersion: bigint): void {
  if (fullId !== null) checkShardId(fullId)
  checkShardId(standbyId)
  checkVersion(expectedVersion)
  if (fullId === standbyId) throw new InvalidArgumentError(`shard ${standbyId} cannot succeed itself`)
}

/** Who and why, with null for what was not said. */
export interface CheckedNote {
  readonly by: string | null
  readonly reason: string | null
}

/** @throws InvalidArgumentError for text that not every engine stores */
export function checkNote({ by, reason }: ChangeNote): CheckedNote {
  return { by: optionalText('by', by, 128), reason: optionalText('reason', reason, 1_000) }
}

/** The note of a change of a shard's fields; without a reason of the caller's it says what was changed. */
export function noteOfFields(note: ChangeNote, fields: object): ChangeNote {
  if (note.reason !== undefined) return note
  const reason = Object.entries(fields).map(([name, value]) => `${name}: ${value}`)
  return { ...note, reason: reason.join(', ') }
}

/** An error as a short text that every engine stores. */
export function errorText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.slice(0, 500).replace(/\p{Surrogate}|\0/gu, '?') || 'unknown error'
}

function checkStatus(status: ShardStatus): ShardStatus {
  if (statuses.includes(status)) return status
  throw new InvalidArgumentError(`a status is one of ${statuses.join(', ')}, not ${JSON.stringify(status)}`)
}

function checkThreshold(name: string, value: number): number {
  return checkNumber(name, value, Number.MIN_VALUE, 1)
}

function optionalText(name: string, value: string | null | undefined, maxLength: number): string | null {
  return value === undefined || value === null ? null : checkText(name, value, maxLength)
}
