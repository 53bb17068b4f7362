import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hashKey, mix64 } from '../src/hash.ts'
import { HashLocator } from '../src/hash-locator.ts'
import { MAX_SHARD } from '../src/id.ts'
import { IdAllocator } from '../src/id-allocator.ts'
import { ShardCodec } from '../src/id-codec.ts'
import { layouts } from '../src/layout.ts'
import { unevenness } from './chi-square.ts'
import { hostile } from './hostile.ts'
import { ManualClock } from './manual-clock.ts'
import { refusal } from './refusal.ts'

const vectors = JSON.parse(readFileSync(new URL('vectors/hash.json', import.meta.url), 'utf8')) as {
  integers: { key: string; mod: Record<string, number> }[]
  strings: { key: string; mod: Record<string, number> }[]
}

test.each([
  ...vectors.integers.map(({ key, mod }) => ({ name: `integer ${key}`, key: BigInt(key), mod })),
  ...vectors.strings.map(({ key, mod }) => ({ name: `text ${key}`, key: hashKey(key), mod })),
])('[H12] vector: $name', ({ key, mod }) => {
  for (const [shards, shard] of Object.entries(mod))
    expect(new HashLocator(Number(shards)).locate(key)).toBe(shard)
})

test('it is mix64(key) mod n, up to the largest n', () => {
  const sizes = fc.oneof(
    fc.integer({ min: 1, max: 70 }),
    fc.integer({ min: MAX_SHARD - 70, max: MAX_SHARD + 1 }),
  )
  fc.assert(
    fc.property(sizes, fc.bigInt(0n, 2n ** 64n - 1n), (n, key) => {
      expect(new HashLocator(n).locate(key)).toBe(Number(mix64(key) % BigInt(n)))
    }),
  )
})

/** A fixed pseudo-random sequence: the same keys in every run. */
function* random(): Generator<bigint> {
  let state = 88172645463325252n
  for (;;) {
    state = BigInt.asUintN(64, state ^ (state << 13n))
    state ^= state >> 7n
    state = BigInt.asUintN(64, state ^ (state << 17n))
    yield state
  }
}

/** As one process makes them: some ids in a millisecond, then a pause. */
function snowflakes(count: number, shards: number): bigint[] {
  const clock = new ManualClock(layouts.default.epochMs + 60_000_000_000)
  const allocator = new IdAllocator({ clock })
  return Array.from({ length: count }, (_, i) => {
    if (i % 3 === 0) clock.nowMs += 1 + (i % 11)
    return allocator.next(ShardCodec.default, i % shards)
  })
}

const COUNT = 100_000
const some = random()
const keys: Record<string, readonly bigint[]> = {
  sequential: Array.from({ length: COUNT }, (_, i) => BigInt(i + 1)),
  'multiples of 1,024': Array.from({ length: COUNT }, (_, i) => BigInt(i + 1) << 10n),
  random: Array.from({ length: COUNT }, () => some.next().value as bigint),
  'snowflakes of one shard': snowflakes(COUNT, 1),
  'snowflakes of 64 shards': snowflakes(COUNT, 64),
  'hashed texts': Array.from({ length: COUNT }, (_, i) => hashKey(`person${i}@example.com`)),
}

test.each(Object.keys(keys).flatMap((kind) => [3, 7, 33, 4_096].map((n) => ({ kind, n }))))(
  '$kind keys spread over $n shards as chance would',
  ({ kind, n }) => {
    const locator = new HashLocator(n)
    const shards = (keys[kind] ?? []).map((key) => locator.locate(key))
    expect(Math.abs(unevenness(shards, n))).toBeLessThan(4)
  },
)

test('the measure of evenness sees what is uneven', () => {
  const raw = (keys['multiples of 1,024'] ?? []).map((key) => Number(key % 4_096n))
  expect(unevenness(raw, 4_096)).toBeGreaterThan(100)
  const lowest = (keys.sequential ?? []).map((key) => Number(key % 33n))
  expect(unevenness(lowest, 33)).toBeLessThan(-4)
})

test('hostile values are typed errors', () => {
  for (const value of [0, MAX_SHARD + 2, 3n, ...hostile])
    refusal('INVALID_ARGUMENT', () => new HashLocator(value as number))
  for (const value of [1, ...hostile])
    refusal('INVALID_ARGUMENT', () => new HashLocator(3).locate(value as bigint))
})
