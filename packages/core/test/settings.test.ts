import { expect, expectTypeOf, test } from 'vitest'
import { staticCatalog } from '../src/catalog.ts'
import { IdAllocator } from '../src/id-allocator.ts'
import { ShardCodec } from '../src/id-codec.ts'
import { layouts } from '../src/layout.ts'
import { ShardingSettings } from '../src/settings.ts'
import { fakeExecutor } from './fake-executor.ts'
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
