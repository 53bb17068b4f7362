import { show } from './argument.ts'
import { InvalidArgumentError } from './errors.ts'
import type { RoutingKey } from './id.ts'
import { isUnsigned64 } from './id-words.ts'

/**
 * A text's routing key: FNV-1a 64 over its UTF-8 bytes. The same on every platform, for ever.
 * Constants: https://datatracker.ietf.org/doc/html/draft-eastlake-fnv
 * @throws InvalidArgumentError for anything but text, and for lone surrogates, which have no UTF-8
 */
export function hashKey(text: string): RoutingKey {
  if (typeof text !== 'string') throw noText(text)
  // Two 32-bit halves: BigInt arithmetic takes some twenty times as long.
  let high = 0xcbf29ce4 | 0
  let low = 0x84222325 | 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    let bytes = unit < 0x80 ? unit : utf8(text, i)
    if (bytes > 0xffffff) i++
    do {
      low ^= bytes & 0xff
      // Times 2^40 + 435, which is the prime; the carry out of the low half is made of 16-bit parts.
      const carry = ((low >>> 16) * 435 + (((low & 0xffff) * 435) >>> 16)) >>> 16
      high = (Math.imul(high, 435) + carry + (low << 8)) | 0
      low = Math.imul(low, 435)
      bytes >>>= 8
    } while (bytes > 0)
  }
  return (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0)
}

/** The UTF-8 of the character that begins at a place, its first byte in the lowest bits. */
function utf8(text: string, at: number): number {
  const code = text.codePointAt(at) ?? 0
  if (code >= 0xd800 && code <= 0xdfff) throw noText(text)
  const last = 0x80 | (code & 0x3f)
  if (code < 0x800) return 0xc0 | (code >> 6) | (last << 8)
  const third = 0x80 | ((code >> 6) & 0x3f)
  if (code < 0x10000) return 0xe0 | (code >> 12) | (third << 8) | (last << 16)
  const second = 0x80 | ((code >> 12) & 0x3f)
  return (0xf0 | (code >> 18) | (second << 8) | (third << 16) | (last << 24)) >>> 0
}

function noText(value: unknown): InvalidArgumentError {
  return new InvalidArgumentError(`a text key cannot be ${show(value)}`)
}

/**
 * Spreads a 64-bit value over all 64 bits, one to one; 0 stays 0. The finaliser of splitmix64:
 * https://doi.org/10.1145/2660193.2660195
 * @throws InvalidArgumentError for anything but a bigint from 0 to 2^64-1
 */
export function mix64(key: bigint): bigint {
  if (!isUnsigned64(key))
    throw new InvalidArgumentError(`a routing key must be a bigint from 0 to 2^64-1, not ${show(key)}`)
  // Each step is cut to 64 bits, so that V8 computes in machine words, which is many times as fast.
  let z = BigInt.asUintN(64, key)
  z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n)
  z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn)
  return BigInt.asUintN(64, z ^ (z >> 31n))
}
