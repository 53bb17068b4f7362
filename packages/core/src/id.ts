import { checkBigint, show } from './argument.ts'
import { InvalidArgumentError } from './errors.ts'

/** An entity's id: 1 .. 2^63-1, so that it fits a signed 64-bit column on every engine. */
export type Id = bigint

/** A shard's number: 0 .. `codec.maxShard`. */
export type ShardId = number

/** What a locator takes: any unsigned 64-bit value, such as an id or a hash. */
export type RoutingKey = bigint

/** The largest id: 2^63-1. */
export const MAX_ID: Id = (1n << 63n) - 1n

/** The largest shard number of any codec: `shardBits` is at most 24. */
export const MAX_SHARD: ShardId = 2 ** 24 - 1

/**
 * Reads an id from the wire: canonical decimal text, or a bigint, in 1 .. 2^63-1 and nothing else.
 * Spaces, signs, leading zeros, other bases, exponents and numbers are refused.
 * @throws InvalidArgumentError
 */
export function parseId(value: string | bigint): Id {
  return parseWithin(value, MAX_ID)
}

/** As `parseId`, up to an end of the caller's. */
export function parseWithin(value: string | bigint, maxId: Id): Id {
  if (typeof value === 'bigint') return checkBigint('an id', value, 1n, maxId)
  if (typeof value === 'string' && /^[1-9][0-9]{0,19}$/.test(value)) {
    return checkBigint('an id', BigInt(value), 1n, maxId)
  }
  throw new InvalidArgumentError(
    `an id must be decimal text or a bigint from 1 to ${maxId}, not ${show(value)}`,
  )
}

/**
 * Writes an id for the wire: canonical decimal text.
 * @throws InvalidArgumentError if it is out of range
 */
export function formatId(id: Id): string {
  return checkBigint('an id', id, 1n, MAX_ID).toString()
}
