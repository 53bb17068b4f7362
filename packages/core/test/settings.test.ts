import { describe, expect, expectTypeOf, test } from 'vitest'
import { staticCatalog } from '../src/catalog.ts'
import { hashKey } from '../src/hash.ts'
import { HashLocator } from '../src/hash-locator.ts'
import { IdAllocator } from '../src/id-allocator.ts'
import { ShardCodec } from '../src/id-codec.ts'
import { layouts } from '../src/layout.ts'
import type { ShardLocator } from '../src/locator.ts'
import { MovedLocator } from '../src/moved-locator.ts'
import { ShardingSettings } from '../src/settings.ts'
import { fakeExecutor } from './fake-executor.ts'
import { hostile } from './hostile.ts'
import { ManualClock } from './manual-clock.ts'
import { refusal } from './refusal.ts'

const settings = ShardingSettings.encoded('users', ShardCodec.default)

test('an id that it mints is routed to the shard it was minted on', async () => {
  const clock = new ManualClock(layouts.default.epochMs + 5)
  const id = settings.mint(new IdAllocator({ clock }), 7)
  expectTypeOf(id).toEqualTypeOf<bigint>()
  expect(settings.shardOf(id)).toBe(7)

  const shard = fakeExecutor()
  const executor = settings.executor(staticCatalog({ global: fakeExecutor(), shards: new Map([[7, shard]]) }))
  expect(executor.family).toBe('users')
  await executor.execute({ sql: 'select 1', parameters: [] }, { route: { key: id } })
  expect(shard.calls).toHaveLength(1)
})

test('an illegal family and an illegal shard are refused', () => {
  refusal('INVALID_ARGUMENT', () => ShardingSettings.encoded('No', ShardCodec.default))
  refusal('INVALID_ARGUMENT', () => settings.mint(new IdAllocator(), 2048))
  refusal('INVALID_ARGUMENT', () => settings.shardOf(-1n))
})

const allocator = (): IdAllocator => new IdAllocator({ clock: new ManualClock(layouts.default.epochMs + 5) })

describe('a locator of your own', () => {
  const hashed = ShardingSettings.withLocator('users', ShardCodec.default, new HashLocator(4))

  test('decides where a call goes', async () => {
    const shards = new Map([0, 1, 2, 3].map((shard) => [shard, fakeExecutor()]))
    const executor = hashed.executor(staticCatalog({ global: fakeExecutor(), shards }))
    const key = hashed.keyOf('alice')
    expect(key).toBe(hashKey('alice'))
    await executor.execute({ sql: 'select 1', parameters: [] }, { route: { key } })
    expect(shards.get(hashed.shardOf('alice'))?.calls).toHaveLength(1)
    expect(hashed.shardOf(key)).toBe(hashed.shardOf('alice'))
  })

  test('an id that it would look for elsewhere is not minted', () => {
    const ids = allocator()
    let refused = 0
    for (let i = 0; i < 100; i++) {
      try {
        expect(hashed.shardOf(hashed.mint(ids, 2))).toBe(2)
      } catch (error) {
        expect(error).toMatchObject({ code: 'INVALID_ARGUMENT' })
        refused++
      }
    }
    expect(refused).toBeGreaterThan(50)
    expect(refused).toBeLessThan(100)
  })

  test('with moved keys, new ones are still minted where the codec says', () => {
    const old = settings.mint(allocator(), 7)
    const locator = new MovedLocator(ShardCodec.default, new Map([[old, 8]]))
    const moved = ShardingSettings.withLocator('users', ShardCodec.default, locator)
    expect(moved.shardOf(old)).toBe(8)
    expect(moved.shardOf(moved.mint(allocator(), 9))).toBe(9)
    refusal('INVALID_ARGUMENT', () => moved.keyOf('alice'))
  })
})

test('a text is no key where ids carry their shard', () => {
  refusal('INVALID_ARGUMENT', () => settings.keyOf('alice'))
  refusal('INVALID_ARGUMENT', () => settings.shardOf('alice'))
  refusal('INVALID_ARGUMENT', () => settings.shardOf('5'))
})

test('hostile values are typed errors', () => {
  const { default: codec } = ShardCodec
  for (const value of hostile) {
    refusal('INVALID_ARGUMENT', () => ShardingSettings.encoded(value as string, codec))
    refusal('INVALID_ARGUMENT', () => ShardingSettings.encoded('users', value as ShardCodec))
    refusal('INVALID_ARGUMENT', () => ShardingSettings.withLocator('users', codec, value as ShardLocator))
    refusal('INVALID_ARGUMENT', () => settings.mint(allocator(), value as number))
    refusal('INVALID_ARGUMENT', () => settings.mint(value as IdAllocator, 1))
    refusal('INVALID_ARGUMENT', () => settings.shardOf(value as bigint))
    refusal('INVALID_ARGUMENT', () => settings.keyOf(value as string))
  }
})
