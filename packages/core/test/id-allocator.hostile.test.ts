import { describe, expect, test } from 'vitest'
import { IdAllocator, type IdAllocatorOptions } from '../src/id-allocator.ts'
import { ShardCodec } from '../src/id-codec.ts'
import { type Layout, layouts } from '../src/layout.ts'
import { hostile } from './hostile.ts'
import { ManualClock } from './manual-clock.ts'
import { refusal, rejection } from './refusal.ts'

const { epochMs } = layouts.default
const codec = ShardCodec.default

describe('hostile input is a typed error, and nothing is minted', () => {
  test('in the options', () => {
    for (const value of hostile.filter((value) => value !== undefined)) {
      refusal('INVALID_ARGUMENT', () => new IdAllocator({ maxAheadMs: (value ?? 'null') as number }))
      refusal('INVALID_ARGUMENT', () => new IdAllocator({ layout: (value ?? 'null') as Layout }))
    }
  })
  test('in the options as a whole, the clock and the delay', () => {
    const refuse = (options: unknown): unknown =>
      refusal('INVALID_ARGUMENT', () => new IdAllocator(options as IdAllocatorOptions))
    for (const value of [null, 1, 'x', 5n]) refuse(value)
    for (const value of hostile.filter((value) => value !== undefined)) {
      refuse({ clock: value })
      if (typeof value !== 'boolean') refuse({ startAfterAhead: value })
      if (typeof value !== 'function') refuse({ delay: value })
    }
  })
  test('for a codec', async () => {
    const allocator = new IdAllocator({ clock: new ManualClock(epochMs + 1000) })
    for (const value of hostile) {
      const no = value as ShardCodec
      refusal('INVALID_ARGUMENT', () => allocator.next(no, 1))
      refusal('INVALID_ARGUMENT', () => allocator.nextMany(no, 1, 2))
      refusal('INVALID_ARGUMENT', () => allocator.range(no, 1, epochMs, epochMs))
      if (value !== undefined) refusal('INVALID_ARGUMENT', () => allocator.parts(1n, no))
      await rejection('INVALID_ARGUMENT', allocator.wait(no, 1))
    }
    expect(allocator.parts(allocator.next(codec, 1)).counter).toBe(0)
  })
  test('in the calls', () => {
    const clock = new ManualClock(epochMs + 1000)
    const allocator = new IdAllocator({ clock })
    for (const value of hostile) {
      refusal('INVALID_ARGUMENT', () => allocator.next(codec, value as number))
      refusal('INVALID_ARGUMENT', () => allocator.nextMany(codec, value as number, 1))
      refusal('INVALID_ARGUMENT', () => allocator.nextMany(codec, 1, value as number))
      refusal('INVALID_ARGUMENT', () => allocator.range(codec, 1, value as number, clock.nowMs))
      refusal('INVALID_ARGUMENT', () => allocator.parts(value as bigint))
    }
    refusal('INVALID_ARGUMENT', () => allocator.nextMany(codec, 1, 0))
    expect(allocator.parts(allocator.next(codec, 1)).counter).toBe(0)
  })
  test('from the clock', () => {
    for (const value of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2 ** 60])
      refusal('INVALID_ARGUMENT', () => new IdAllocator({ clock: new ManualClock(value) }).nextSeq())
  })
})
