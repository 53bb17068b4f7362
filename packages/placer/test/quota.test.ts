import { ConnectionLostError, IdAllocator, ShardCodec, ShardingSettings } from '@shard/core'
import { memoryRegistry, type ShardInput, type ShardRegistry } from '@shard/registry'
import { beforeEach, describe, expect, test } from 'vitest'
import { Placer } from '../src/placer.ts'
import type { PlacerOptions, Shortage } from '../src/placer-options.ts'
import { fillFirst, leastFilled, regionAffine } from '../src/policy.ts'
import { registryWith } from './registry-with.ts'

const settings = ShardingSettings.encoded('users', ShardCodec.default)

let registry: ShardRegistry
let nowMs = 0
let calls: string[] = []
let shortages: Shortage[] = []
let waits: number[] = []

beforeEach(() => {
  registry = memoryRegistry({ family: 'users' })
  nowMs = 0
  calls = []
  shortages = []
  waits = []
})

function placer(options: Partial<PlacerOptions> = {}): Placer {
  const named = <K extends 'list' | 'get' | 'reserve' | 'swapActive' | 'transition'>(name: K) => ({
    [name]: (...args: unknown[]) => {
      calls.push(name)
      return (registry[name] as (...args: unknown[]) => unknown)(...args)
    },
  })
  const watched = { ...named('list'), ...named('get'), ...named('reserve'), ...named('swapActive') }
  return new Placer({
    registry: registryWith(registry, { ...watched, ...named('transition') }),
    allocator: new IdAllocator({ maxAheadMs: 60_000 }),
    settings,
    clock: { now: () => 0, monotonicMs: () => nowMs },
    delay: async (ms) => void waits.push(ms),
    random: () => 0.5,
    onShortage: (shortage) => shortages.push(shortage),
    ...options,
  })
}

async function fleet(...inputs: Partial<ShardInput>[]): Promise<void> {
  for (const [i, input] of inputs.entries())
    await registry.register({ id: i + 1, name: `${i + 1}`, status: 'active', maxBytes: 100n, ...input })
}

async function shardsOf(p: Placer, count: number, region?: string): Promise<number[]> {
  const shards: number[] = []
  for (let i = 0; i < count; i++) shards.push((await p.place({ region })).shard)
  return shards
}

const reservedOf = async (id: number): Promise<bigint | undefined> => (await registry.get(id))?.reservedKeys

describe('the quota', () => {
  test('a block is reserved at once; placing from it asks nothing', async () => {
    await fleet({})
    const p = placer({ quota: 10 })
    await shardsOf(p, 10)
    expect(calls).toEqual(['list', 'reserve'])
    expect(await reservedOf(1)).toBe(10n)
    await shardsOf(p, 1)
    expect(calls).toEqual(['list', 'reserve', 'reserve'])
    expect(await reservedOf(1)).toBe(20n)
  })

  test('what another has changed is read, of that shard alone', async () => {
    await fleet({})
    const p = placer({ quota: 2 })
    await shardsOf(p, 2)
    await registry.measure(1, 5n)
    await shardsOf(p, 1)
    expect(calls).toEqual(['list', 'reserve', 'reserve', 'get', 'reserve'])
    expect(waits).toEqual([1])
  })

  test('a block ends where the estimate reaches the threshold', async () => {
    await fleet({}, { status: 'standby' })
    await shardsOf(placer({ estimatedBytesPerKey: 8, quota: 100 }), 1)
    expect(await reservedOf(1)).toBe(7n)
  })

  test('what is left of a block is not used on a shard that was measured full', async () => {
    await fleet({}, { status: 'standby' })
    const p = placer()
    await shardsOf(p, 1)
    await registry.measure(1, 50n)
    nowMs = 1_000
    expect(await shardsOf(p, 1)).toEqual([2])
  })

  test('a reply that is lost costs a block, and no error', async () => {
    await fleet({})
    let lost = 0
    const reserve: ShardRegistry['reserve'] = async (...args) => {
      const answer = await registry.reserve(...args)
      if (lost++ === 0) throw new ConnectionLostError(new Error('gone'), 'unknown')
      return answer
    }
    const p = placer({ registry: registryWith(registry, { reserve }), quota: 5 })
    expect(await shardsOf(p, 1)).toEqual([1])
    expect(await reservedOf(1)).toBe(10n)
  })

  test('after a hundred lost compare-and-sets it says BUSY', async () => {
    await fleet({})
    const p = placer({ registry: registryWith(registry, { reserve: async () => false }) })
    await expect(p.place()).rejects.toMatchObject({ code: 'BUSY', retryable: true })
    expect(waits).toHaveLength(100)
    expect(Math.max(...waits)).toBe(32)
  })

  test('two placers together reserve no more than fits', async () => {
    await fleet({ admitThreshold: 1, hardThreshold: 1 })
    const placers = [
      placer({ estimatedBytesPerKey: 1, quota: 7 }),
      placer({ estimatedBytesPerKey: 1, quota: 7 }),
    ]
    let placed = 0
    for (;;) {
      const ends = await Promise.allSettled(placers.map((p) => p.place()))
      placed += ends.filter(({ status }) => status === 'fulfilled').length
      if (ends.every(({ status }) => status === 'rejected')) break
    }
    expect([placed, await reservedOf(1)]).toEqual([100, 100n])
  })
})

describe('a shard that only the estimate calls full', () => {
  test('it is to be measured, and admits in small blocks up to the hard threshold', async () => {
    await fleet({}, { status: 'standby' })
    const p = placer({ estimatedBytesPerKey: 1, quota: 32 })
    await shardsOf(p, 51)
    expect(await reservedOf(1)).toBe(52n)
    expect(shortages).toEqual([{ family: 'users', reason: 'unmeasured', admitting: 1, region: null }])
    await shardsOf(p, 2)
    expect(await reservedOf(1)).toBe(54n)
  })

  test('with a way to measure, no key is refused while there is room', async () => {
    await fleet({}, { status: 'standby' }, { status: 'standby' })
    const placed = new Map<number, bigint>()
    let measured = 0
    const measure = async (): Promise<void> => {
      measured++
      for (const [shard, size] of placed) await registry.measure(shard, size)
    }
    const p = placer({ estimatedBytesPerKey: 10, quota: 32, measure })
    for (let i = 0; i < 100; i++) {
      const [shard = 0] = await shardsOf(p, 1)
      placed.set(shard, (placed.get(shard) ?? 0n) + 1n)
    }
    expect([...placed.keys()]).toEqual([1, 2])
    expect(measured).toBeLessThan(50)
    expect((await registry.get(1))?.status).toBe('sealed')
  })

  test('a measurement that fails is no answer', async () => {
    await fleet({})
    const measure = () => Promise.reject(new Error('no route'))
    const p = placer({ estimatedBytesPerKey: 10, measure })
    await expect(shardsOf(p, 100)).rejects.toMatchObject({ code: 'NO_SHARD_AVAILABLE' })
  })
})

describe('policies', () => {
  test('least-filled evens out by what is reserved, and by what it has placed itself', async () => {
    await fleet({ sizeBytes: 10n }, {}, {})
    const even = await shardsOf(placer({ policy: leastFilled, quota: 1, estimatedBytesPerKey: 4 }), 8)
    expect(even.toSorted()).toEqual([1, 2, 2, 2, 2, 3, 3, 3].toSorted())
    const blind = await shardsOf(placer({ policy: leastFilled }), 4)
    expect(new Set(blind)).toEqual(new Set([2, 3]))
  })

  test('the default keeps to a region that is named, while it has room', async () => {
    await fleet({ region: 'us' }, { region: 'eu' })
    const p = placer()
    expect(await shardsOf(p, 2)).toEqual([1, 1])
    expect(await shardsOf(p, 2, 'eu')).toEqual([2, 2])
    expect(await shardsOf(p, 1, 'asia')).toEqual([1])
    await expect(p.place({ region: '' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
  })

  test('strictly, a region without a shard begins with its own standby, or not at all', async () => {
    await fleet({ region: 'us' }, { region: 'eu', status: 'standby' }, { region: 'us', status: 'standby' })
    const p = placer({ policy: regionAffine(fillFirst, { strict: true }) })
    expect(await shardsOf(p, 1, 'eu')).toEqual([2])
    expect(await shardsOf(p, 1, 'us')).toEqual([1])
    await expect(p.place({ region: 'asia' })).rejects.toMatchObject({ code: 'NO_SHARD_AVAILABLE' })
    expect(shortages.at(-1)).toMatchObject({ reason: 'no-standby', admitting: null, region: 'asia' })
    const together = await Promise.all(['eu', 'us', 'eu', undefined].map((region) => p.place({ region })))
    expect(together.map(({ shard }) => shard)).toEqual([2, 1, 2, 1])
  })

  test('past an active shard out of reach a standby begins beside it, once', async () => {
    await fleet({}, { status: 'standby' }, { status: 'standby' })
    let down = new Set<number>()
    const options = { isReachable: ({ id }: { id: number }) => !down.has(id) }
    const placers = [placer(options), placer(options)]
    await Promise.all(placers.map((p) => p.place()))
    down = new Set([1])
    for (const p of placers) p.forget()
    const placed = await Promise.all(placers.map((p) => p.place()))
    expect(placed.map(({ shard }) => shard)).toEqual([2, 2])
    expect((await registry.list()).map(({ status }) => status)).toEqual(['active', 'active', 'standby'])
    expect((await registry.history(2))[1]).toMatchObject({
      by: 'placer',
      reason: 'cannot be reached: shard 1',
    })
  })
})

test('an id that the locator would not find again is refused', async () => {
  await fleet({})
  const elsewhere = { locate: () => 9, idsOnly: true as const }
  const p = placer({ settings: ShardingSettings.withLocator('users', ShardCodec.default, elsewhere) })
  await expect(p.place()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
})
