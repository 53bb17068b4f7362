import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { HashLocator } from '../src/hash-locator.ts'
import { ShardCodec } from '../src/id-codec.ts'
import type { ShardLocator } from '../src/locator.ts'
import { MovedLocator } from '../src/moved-locator.ts'
import { hostile } from './hostile.ts'
import { refusal } from './refusal.ts'

const codec = ShardCodec.default
const id = (shard: number, seq: number): bigint => codec.compose(shard, BigInt(seq))

test('a moved key is found where the map says, every other where the base does', () => {
  const keys = fc.bigInt(0n, codec.maxId)
  const moves = fc.array(fc.tuple(keys, fc.nat(2_047)), { maxLength: 20 })
  fc.assert(
    fc.property(moves, fc.array(keys), (moved, others) => {
      const map = new Map(moved)
      const locator = new MovedLocator(codec, map)
      for (const [key, shard] of map) expect(locator.locate(key)).toBe(shard)
      for (const key of others) expect(locator.locate(key)).toBe(map.get(key) ?? codec.locate(key))
      for (const key of map.keys()) expect(codec.shardOf(key)).toBe(codec.locate(key))
    }),
  )
})

test('it is as wide as its base, and takes the same keys', () => {
  const narrow = new ShardCodec({ shardBits: 8, idBits: 53 })
  expect(new MovedLocator(narrow, new Map())).toMatchObject({ idBits: 53, idsOnly: true })
  expect(new MovedLocator(new HashLocator(3), new Map())).toMatchObject({ idBits: 64, idsOnly: false })
  refusal('INVALID_ARGUMENT', () => new MovedLocator(narrow, new Map()).locate(1n << 60n))
  refusal('INVALID_ARGUMENT', () => new MovedLocator(narrow, new Map([[1n << 60n, 1]])))
})

describe('versions', () => {
  test('more keys make another version; one that comes home leaves the map', () => {
    const first = new MovedLocator(codec, new Map([[id(1, 5), 2]]), 7n)
    const second = first.with(
      new Map([
        [id(1, 5), 1],
        [id(3, 6), 4],
      ]),
    )
    expect([first.version, second.version]).toEqual([7n, 8n])
    expect(second.moved()).toEqual(new Map([[id(3, 6), 4]]))
    expect([first.locate(id(1, 5)), second.locate(id(1, 5))]).toEqual([2, 1])
  })

  test('nothing changes one that is made', () => {
    const map = new Map([[id(1, 5), 2]])
    const locator = new MovedLocator(codec, map)
    map.set(id(1, 5), 3)
    ;(locator.moved() as Map<bigint, number>).clear()
    expect(locator.locate(id(1, 5))).toBe(2)
  })
})

test('hostile values are typed errors', () => {
  const locator = new MovedLocator(codec, new Map([[id(1, 5), 2]]))
  for (const value of hostile) {
    refusal('INVALID_ARGUMENT', () => new MovedLocator(value as ShardLocator, new Map()))
    refusal('INVALID_ARGUMENT', () => new MovedLocator(codec, value as Map<bigint, number>))
    refusal('INVALID_ARGUMENT', () => new MovedLocator(codec, new Map([[value as bigint, 1]])))
    refusal('INVALID_ARGUMENT', () => new MovedLocator(codec, new Map([[1n, value as number]])))
    if (value !== undefined)
      refusal('INVALID_ARGUMENT', () => new MovedLocator(codec, new Map(), value as bigint))
    refusal('INVALID_ARGUMENT', () => locator.locate(value as bigint))
    refusal('INVALID_ARGUMENT', () => locator.with(value as Map<bigint, number>))
  }
})
