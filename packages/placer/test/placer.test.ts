import { IdAllocator, layouts, ShardCodec, ShardingSettings } from '@shard/core'
import { memoryRegistry, type ShardRegistry, type ShardStatus } from '@shard/registry'
import { beforeEach, describe, expect, test } from 'vitest'
import { Placer } from '../src/placer.ts'
import type { PlacerOptions, Shortage } from '../src/placer-options.ts'
import { registryWith } from './registry-with.ts'

const settings = ShardingSettings.encoded('users', ShardCodec.default)

let registry: ShardRegistry
let nowMs = 0
let lists = 0
let shortages: Shortage[] = []

beforeEach(() => {
  registry = memoryRegistry({ family: 'users' })
  nowMs = 0
  lists = 0
  shortages = []
})

/** A placer on a registry that counts its readings, with a clock that the test moves. */
function placer(options: Partial<PlacerOptions> = {}): Placer {
  const counted = registryWith(registry, {
    list: async (call) => {
      lists++
      return registry.list(call)
    },
  })
  const onShortage = (shortage: Shortage) => shortages.push(shortage)
  const clock = { now: () => 0, monotonicMs: () => nowMs }
  return new Placer({
    registry: counted,
    allocator: new IdAllocator(),
    settings,
    clock,
    onShortage,
    ...options,
  })
}

async function fleet(...of: ShardStatus[]): Promise<void> {
  for (const [i, status] of of.entries())
    await registry.register({ id: i + 1, name: `${i + 1}`, status, maxBytes: 100n })
}

const statusesOf = async (): Promise<string[]> => (await registry.list()).map(({ status }) => status)
const unavailable = expect.objectContaining({ code: 'NO_SHARD_AVAILABLE', retryable: true })

describe('place', () => {
  test('an id on the active shard, born there', async () => {
    await fleet('sealed', 'active', 'standby')
    const { shard, id } = await placer().place()
    expect([shard, settings.shardOf(id)]).toEqual([2, 2])
  })

  test('the registry is read once for as long as the view is fresh', async () => {
    await fleet('active')
    const p = placer()
    for (let i = 0; i < 100; i++) await p.place()
    expect(lists).toBe(1)
    nowMs = 999
    await p.place()
    expect(lists).toBe(1)
    nowMs = 1_000
    await p.place()
    expect(lists).toBe(2)
  })

  test('1,000 callers at once share one reading, and get ids of their own', async () => {
    await fleet('active')
    const p = placer({ allocator: new IdAllocator({ layout: { ...layouts.default } }) })
    const placed = await Promise.all(Array.from({ length: 1_000 }, () => p.place()))
    expect(lists).toBe(1)
    expect(new Set(placed.map(({ id }) => id)).size).toBe(1_000)
  })

  test('an operator’s seal is obeyed within the time of the cache, and the next place promotes', async () => {
    await fleet('active', 'standby')
    const p = placer({ cacheTtlMs: 50 })
    expect((await p.place()).shard).toBe(1)
    await registry.transition(1, 'active', 'sealed', { by: 'operator' })
    nowMs = 49
    expect((await p.place()).shard).toBe(1)
    nowMs = 50
    expect((await p.place()).shard).toBe(2)
    expect(await statusesOf()).toEqual(['sealed', 'active'])
    expect((await registry.get(1))?.successorId).toBeNull()
  })

  test('a new fleet begins with its lowest standby', async () => {
    await fleet('provisioning', 'disabled', 'standby', 'standby')
    expect((await placer().place()).shard).toBe(3)
    expect(await statusesOf()).toEqual(['provisioning', 'disabled', 'active', 'standby'])
  })

  test('a full shard is sealed, its successor named, and the history says why', async () => {
    await fleet('active', 'standby')
    await registry.measure(1, 50n)
    expect((await placer().place()).shard).toBe(2)
    expect((await registry.get(1))?.successorId).toBe(2)
    const line = (await registry.history(1)).at(-1)
    expect([line?.to, line?.by]).toEqual(['sealed', 'placer'])
  })

  test('a full shard stays active while another active one has room', async () => {
    await fleet('active', 'active', 'standby')
    await registry.measure(1, 50n)
    expect((await placer().place()).shard).toBe(2)
    expect(await statusesOf()).toEqual(['active', 'active', 'standby'])
  })

  test('a promotion that is lost to another ends in what the other promoted', async () => {
    await fleet('active', 'standby', 'standby')
    await registry.measure(1, 50n)
    const real = registry
    let raced = false
    const swapActive: ShardRegistry['swapActive'] = async (...args) => {
      if (!raced) expect(await real.swapActive(1, 3, 2n)).toBe(true)
      raced = true
      return real.swapActive(...args)
    }
    registry = registryWith(real, { swapActive })
    expect((await placer().place()).shard).toBe(3)
    expect((await real.list()).map(({ status }) => status)).toEqual(['sealed', 'standby', 'active'])
  })

  test('a registry that cannot be read fails those who asked, and only them', async () => {
    await fleet('active')
    let broken = true
    const real = registry
    const list = async () => {
      if (broken) throw new Error('unreachable')
      return real.list()
    }
    registry = registryWith(real, { list })
    const p = placer()
    const ends = await Promise.allSettled([p.place(), p.place({ signal: new AbortController().signal })])
    expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    broken = false
    expect((await p.place()).shard).toBe(1)
  })

  test('an aborted signal is ABORTED', async () => {
    await fleet('active')
    const signal = AbortSignal.abort()
    await expect(placer().place({ signal })).rejects.toMatchObject({ code: 'ABORTED' })
    await expect(placer().placeWith(1n << 52n, { signal })).rejects.toMatchObject({ code: 'ABORTED' })
    expect(lists).toBe(0)
  })
})

describe('without a standby', () => {
  test('it admits up to the hard threshold, and says so once a view', async () => {
    await fleet('active', 'sealed')
    await registry.measure(1, 89n)
    const p = placer()
    for (let i = 0; i < 10; i++) expect((await p.place()).shard).toBe(1)
    expect(lists).toBe(1)
    expect(shortages).toEqual([{ family: 'users', reason: 'no-standby', admitting: 1, region: null }])
    expect(await statusesOf()).toEqual(['active', 'sealed'])
  })

  test('at the hard threshold: NO_SHARD_AVAILABLE, until there is room again', async () => {
    await fleet('active')
    await registry.measure(1, 90n)
    const p = placer()
    await expect(p.place()).rejects.toThrow(unavailable)
    expect(shortages).toEqual([{ family: 'users', reason: 'no-standby', admitting: null, region: null }])
    await registry.register({ id: 9, name: '9', status: 'standby' })
    expect((await p.place()).shard).toBe(9)
  })

  test('an empty registry has no room', async () => {
    await expect(placer().place()).rejects.toThrow(unavailable)
  })

  test('what onShortage throws stops no placement', async () => {
    await fleet('active')
    await registry.measure(1, 50n)
    const p = placer({ onShortage: () => Promise.reject(new Error('a bad callback')) })
    expect((await p.place()).shard).toBe(1)
  })
})

describe('estimates', () => {
  test('they hold admission back, but seal nothing', async () => {
    await fleet('active', 'standby')
    await registry.measure(1, 40n)
    const p = placer({ estimatedBytesPerKey: 5 })
    for (let i = 0; i < 10; i++) expect((await p.place()).shard).toBe(1)
    await expect(p.place()).rejects.toThrow(unavailable)
    expect(await statusesOf()).toEqual(['active', 'standby'])
    expect(shortages[0]).toEqual({ family: 'users', reason: 'unmeasured', admitting: 1, region: null })
  })

  test('a measurement takes their place', async () => {
    await fleet('active', 'standby')
    const p = placer({ estimatedBytesPerKey: 45 })
    await p.place()
    await p.place()
    await expect(p.place()).rejects.toThrow(unavailable)
    await new Promise((resolve) => setImmediate(resolve))
    await registry.measure(1, 20n)
    nowMs = 1_000
    expect((await p.place()).shard).toBe(1)
  })
})

describe('placeWith', () => {
  test('a child lives where its parent lives, also on a sealed shard, without a query', async () => {
    await fleet('sealed', 'active')
    const parent = settings.codec.compose(1, 5n)
    const { shard, id } = await placer().placeWith(parent)
    expect([shard, settings.shardOf(id)]).toEqual([1, 1])
    expect(id).not.toBe(parent)
    expect(lists).toBe(0)
  })

  test.each([0n, -1n, 2n ** 63n, 5 as never, '0x10' as never])('%s is no parent', async (parent) => {
    await expect(placer().placeWith(parent)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
  })
})

describe('sealFull', () => {
  test('each full shard of the report gives way, and the next place knows it', async () => {
    await fleet('active', 'active', 'standby', 'standby')
    const p = placer()
    await p.place()
    await registry.measure(1, 50n)
    await registry.measure(2, 60n)
    expect(await p.sealFull({ full: [1, 2] })).toEqual([
      { sealed: 1, promoted: 3 },
      { sealed: 2, promoted: 4 },
    ])
    expect(await statusesOf()).toEqual(['sealed', 'sealed', 'active', 'active'])
    expect((await p.place()).shard).toBe(3)
  })

  test('what is not full, not active, unknown or without a standby stays', async () => {
    await fleet('active', 'sealed', 'disabled', 'standby', 'active')
    await registry.measure(4, 10n)
    const before = await registry.list()
    expect(await placer().sealFull({ full: [1, 2, 3, 4, 77] })).toEqual([])
    expect(await registry.list()).toEqual(before)
    await registry.transition(4, 'standby', 'disabled')
    await registry.measure(1, 99n)
    expect(await placer().sealFull({ full: [1] })).toEqual([])
    expect((await registry.get(1))?.status).toBe('active')
  })

  test('two placers with one report make one swap', async () => {
    await fleet('active', 'standby', 'standby')
    await registry.measure(1, 50n)
    const swaps = await Promise.all([placer(), placer()].map((p) => p.sealFull({ full: [1] })))
    expect(swaps.flat()).toEqual([{ sealed: 1, promoted: 2 }])
  })
})

test.each([
  { cacheTtlMs: -1 },
  { cacheTtlMs: Number.NaN },
  { estimatedBytesPerKey: -1 },
  { estimatedBytesPerKey: 0.5 },
  { registry: memoryRegistry({ family: 'teams' }) },
])('a bad option is refused: %o', (options) => {
  expect(() => placer(options)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }))
})
