import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashKey, mix64 } from '../src/hash.ts'
import { hostile } from './hostile.ts'
import { refusal } from './refusal.ts'

interface Vector {
  readonly key: string
  readonly fnv1a64?: string
  readonly mix64: string
  readonly mod: Record<string, number>
}

const vectors = JSON.parse(readFileSync(new URL('vectors/hash.json', import.meta.url), 'utf8')) as {
  integers: Vector[]
  strings: Vector[]
}

const hex = (value: bigint): string => value.toString(16).padStart(16, '0')

function checkShards(mixed: bigint, mod: Record<string, number>): void {
  for (const [shards, shard] of Object.entries(mod)) expect(Number(mixed % BigInt(shards))).toBe(shard)
}

test.each(vectors.integers)('vector: integer $key', ({ key, mix64: expected, mod }) => {
  const mixed = mix64(BigInt(key))
  expect(hex(mixed)).toBe(expected)
  checkShards(mixed, mod)
})

test.each(vectors.strings)('vector: text $key', ({ key, fnv1a64, mix64: expected, mod }) => {
  const hash = hashKey(key)
  expect(hex(hash)).toBe(fnv1a64)
  expect(hex(mix64(hash))).toBe(expected)
  checkShards(mix64(hash), mod)
})

/** The inverse of `z ^ (z >> shift)`. */
function unshift(z: bigint, shift: bigint): bigint {
  let x = z
  for (let i = 0; i < 64; i++) x = z ^ (x >> shift)
  return x
}

test('mixing is one to one: it can be undone', () => {
  const mask = (1n << 64n) - 1n
  fc.assert(
    fc.property(fc.bigInt(0n, mask), (key) => {
      let z = unshift(mix64(key), 31n)
      z = unshift((z * 0x319642b2d24d8ec3n) & mask, 27n)
      z = unshift((z * 0x96de1b173f119089n) & mask, 30n)
      expect(z).toBe(key)
    }),
  )
})

test('a hash is FNV-1a of the bytes, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      let expected = 14695981039346656037n
      for (const byte of Buffer.from(text, 'utf8'))
        expected = BigInt.asUintN(64, (expected ^ BigInt(byte)) * 1099511628211n)
      expect(hashKey(text)).toBe(expected)
    }),
  )
})

test('anything but a routing key or text is a typed error', () => {
  for (const value of [-1n, 1n << 64n, 1, '1', null])
    refusal('INVALID_ARGUMENT', () => mix64(value as bigint))
  for (const value of hostile.filter((value) => typeof value !== 'string'))
    refusal('INVALID_ARGUMENT', () => hashKey(value as string))
  for (const text of ['\ud800', 'a\udc00', '\udc00\ud800']) refusal('INVALID_ARGUMENT', () => hashKey(text))
})
