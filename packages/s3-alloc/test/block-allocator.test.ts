import { ShardCodec } from '@shard/core'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { BlockAllocatorOptions } from '../src/allocator-options.ts'
import { BlockAllocator } from '../src/block-allocator.ts'
import { memoryCounter } from '../src/memory.ts'

const invalid = expect.objectContaining({ code: 'INVALID_ARGUMENT' })

async function made(options: Partial<BlockAllocatorOptions> = {}): Promise<BlockAllocator> {
  const allocator = new BlockAllocator({ counter: memoryCounter(), ...options })
  await allocator.initialize()
  return allocator
}

describe('options out of range are refused at once', () => {
  test.each<Record<string, unknown>>([
    { counter: undefined },
    { counter: {} },
    { blockSize: 0 },
    { blockSize: 1.5 },
    { blockSize: Number.NaN },
    { blockSize: '5' },
    { adaptive: 5 },
    { adaptive: null },
    { adaptive: { maxBlockSize: 0 } },
    { adaptive: { targetMs: Number.POSITIVE_INFINITY } },
    { max: 0n },
    { max: 2n ** 63n },
    { max: 5 },
    { floor: 5 },
    { floor: -1n },
    { home: '' },
    { generation: 'a\0' },
    { lowWater: 1.1 },
    { timeoutMs: 0 },
    { timeoutMs: 2 ** 31 },
    { callTimeoutMs: -1 },
    { retry: { baseMs: -1 } },
    { floorMaxAgeMs: -1 },
  ])('%o', (bad) => {
    expect(() => new BlockAllocator({ counter: memoryCounter(), ...bad } as never)).toThrow(invalid)
  })
})

test('counts out of range are refused, and nothing is taken', async () => {
  const allocator = await made()
  for (const bad of [0, -1, 1.5, Number.NaN, '5', 5n, null, undefined]) {
    await expect(allocator.allocateMany(bad as number)).rejects.toEqual(invalid)
    await expect(allocator.reserve(bad as number)).rejects.toEqual(invalid)
  }
  await expect(allocator.allocateMany(1_000_001)).rejects.toEqual(invalid)
  for (const startAt of [0n, -1n, 2n ** 63n, 5])
    await expect(allocator.initialize({ startAt: startAt as bigint })).rejects.toEqual(invalid)
  expect(await allocator.allocate()).toBe(1n)
})

test('the next block comes before the first is used up: nobody waits', async () => {
  const allocator = await made({ blockSize: 10 })
  for (let i = 1n; i <= 100n; i++) {
    expect(await allocator.allocate()).toBe(i)
    await new Promise(setImmediate)
  }
  expect(allocator.stats()).toMatchObject({ waits: 1, allocated: 100 })
  expect(allocator.stats().remaining).toBeLessThanOrEqual(15)
})

test('peek tells the next id without taking it', async () => {
  const allocator = await made()
  expect(allocator.peek()).toBeNull()
  await allocator.allocate()
  expect(allocator.peek()).toBe(2n)
  expect(await allocator.allocate()).toBe(2n)
})

test('callers are served in order, and a visit takes as much as they all need', async () => {
  const allocator = await made({ blockSize: 2 })
  const lists = await Promise.all([3, 1, 5, 2].map((count) => allocator.allocateMany(count)))
  expect(lists.flat()).toEqual(Array.from({ length: 11 }, (_, i) => BigInt(i + 1)))
  expect(allocator.stats().blocks).toBe(1)
})

test('ranges that are asked for at once are taken in one visit; one that does not fit is refused alone', async () => {
  const allocator = await made({ max: 100n })
  const [a, b, c] = await Promise.allSettled([60, 50, 40].map((count) => allocator.reserve(count)))
  expect(a).toMatchObject({ value: { from: 1n, to: 61n } })
  expect(b).toMatchObject({ reason: { code: 'EXHAUSTED' } })
  expect(c).toMatchObject({ value: { from: 61n, to: 101n } })
})

test('a range that is far too large takes nothing from the others', async () => {
  const allocator = await made({ max: 1_000n })
  await expect(allocator.reserve(2 ** 50)).rejects.toMatchObject({ code: 'EXHAUSTED' })
  expect(await allocator.allocate()).toBe(1n)
})

test('a codec is the end of the sequence too', async () => {
  const codec = new ShardCodec({ idBits: 53, shardBits: 24 })
  const counter = memoryCounter()
  const allocator = new BlockAllocator({ counter, codec, blockSize: 10 })
  await allocator.initialize({ startAt: codec.maxSeq })
  const seq = await allocator.allocate()
  expect(codec.seqOf(codec.compose(5, seq))).toBe(codec.maxSeq)
  await expect(allocator.allocate()).rejects.toMatchObject({ code: 'EXHAUSTED', max: codec.maxSeq })
})

test('ids are bigints', () => {
  expectTypeOf<BlockAllocator['allocate']>().returns.resolves.toEqualTypeOf<bigint>()
  expectTypeOf<BlockAllocator['allocateMany']>().returns.resolves.toEqualTypeOf<bigint[]>()
})
