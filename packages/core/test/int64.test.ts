import { expect, test } from 'vitest'
import { staticCatalog } from '../src/catalog.ts'
import type { Executor } from '../src/executor.ts'
import { ShardCodec } from '../src/id-codec.ts'
import { ShardingSettings } from '../src/settings.ts'
import { fakeExecutor } from './fake-executor.ts'
import { refusal, rejection } from './refusal.ts'

const narrow = (): Executor & { calls: unknown[] } => ({ ...fakeExecutor(), int64: false })
const wideIds = ShardingSettings.encoded('users', ShardCodec.default)
const narrowIds = ShardingSettings.encoded('users', new ShardCodec({ shardBits: 8, idBits: 53 }))

test('a fleet with one database without int64 refuses 64-bit ids, and takes 53-bit ones', () => {
  const catalog = staticCatalog({ global: fakeExecutor(), shards: new Map([[1, narrow()]]) })
  refusal('LAYOUT_MISMATCH', () => wideIds.executor(catalog))
  expect(narrowIds.executor(catalog).int64).toBe(false)
})

test('a fleet of others says nothing of it', () => {
  const catalog = staticCatalog({ global: fakeExecutor(), shards: new Map([[1, fakeExecutor()]]) })
  expect(wideIds.executor(catalog).int64).toBeUndefined()
})

test('a database that is opened later is refused before it is asked', async () => {
  const late = narrow()
  const catalog = {
    ...staticCatalog({ global: fakeExecutor(), shards: new Map() }),
    shard: () => late,
  }
  const db = wideIds.executor(catalog)
  const route = { shard: 1 }
  await rejection('LAYOUT_MISMATCH', db.execute({ sql: 'select 1', parameters: [] }, { route }))
  await rejection(
    'LAYOUT_MISMATCH',
    db.transaction(async () => {}, { route }),
  )
  expect(late.calls).toEqual([])
})
