import { checkBigint, show } from './argument.ts'
import { InvalidArgumentError } from './errors.ts'
import type { RoutingKey } from './id.ts'

const MASK_64 = (1n << 64n) - 1n

/**
 * A text's routing key: FNV-1a 64 over its UTF-8 bytes. The same on every platform, for ever.
 * Constants: https://datatracker.ietf.org/doc/html/draft-eastlake-fnv
 * @throws InvalidArgumentError for anything but text, and for lone surrogates, which have no UTF-8
 */
export function hashKey(text: string): RoutingKey {
  if (typeof text !== 'string' || /\p{Surrogate}/u.test(text))
    throw new InvalidArgumentError(`a text key cannot be ${show(text)}`)
  let hash = 0xcbf29ce484222325n
  for (const byte of new TextEncoder().encode(text)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & MASK_64
  return hash
}

/**
 * Spreads a 64-bit value over all 64 bits, one to one; 0 stays 0. The finaliser of splitmix64:
 * https://doi.org/10.1145/2660193.2660195
 */
export function mix64(key: bigint): bigint {
  let z = checkBigint('a routing key', key, 0n, MASK_64)
  z = ((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK_64
  z = ((z ^ (z >> 27n)) * 0x94d049bb133111ebn) & MASK_64
  return z ^ (z >> 31n)
}
