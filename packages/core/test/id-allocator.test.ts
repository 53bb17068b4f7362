import { readFileSync } from 'node:fs'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type { Delay } from '../src/delay.ts'
import type { ClockAheadError } from '../src/errors.ts'
import { IdAllocator } from '../src/id-allocator.ts'
import { ShardCodec } from '../src/id-codec.ts'
import { layouts } from '../src/layout.ts'
import { ManualClock } from './manual-clock.ts'
import { refusal, rejection } from './refusal.ts'

const { epochMs } = layouts.default
const codec = ShardCodec.default

const vectors = JSON.parse(readFileSync(new URL('vectors/sequence.json', import.meta.url), 'utf8')) as {
  epochMs: number
  firstMsPastHorizon: number
  sequences: { unixMs: number; counter: number; seq: string; idOnShard7: string }[]
}

describe('vectors', () => {
  test('the epoch and the horizon', () => {
    expect(epochMs).toBe(vectors.epochMs)
    expect(new IdAllocator().expiresAtMs).toBe(vectors.firstMsPastHorizon)
  })
  test.each(vectors.sequences)(
    '$unixMs and counter $counter are $seq',
    ({ unixMs, counter, seq, idOnShard7 }) => {
      const allocator = new IdAllocator({ clock: new ManualClock(unixMs) })
      const id = BigInt(idOnShard7)
      expect(codec.compose(7, BigInt(seq))).toBe(id)
      expect(allocator.parts(id)).toEqual({ shard: 7, timeMs: unixMs, counter })
      // At the epoch itself the counter begins at 1: nothing mints 0.
      const skip = unixMs === epochMs ? 1 : 0
      for (let i = skip; i < counter; i++) allocator.nextSeq()
      if (counter >= skip) expect(allocator.next(codec, 7)).toBe(id)
    },
  )
})

test('[B1] a clock that stands, steps back and comes again', () => {
  const clock = new ManualClock(epochMs)
  const allocator = new IdAllocator({ clock })
  const walk = [1000, 1000, 995, 996, 997, 998, 999, 1000, 1001]
  let last = 0n
  for (const ms of walk) {
    clock.nowMs = epochMs + ms
    for (let i = 0; i < 300; i++) {
      const seq = allocator.nextSeq()
      expect(seq > last).toBe(true)
      last = seq
    }
  }
})

test('[B2] a frozen clock gives eleven milliseconds of ids, then a refusal with a time to wait', () => {
  const clock = new ManualClock(epochMs + 1000)
  const allocator = new IdAllocator({ clock })
  const seen = new Set<bigint>()
  for (let i = 0; i < 11 * 1024; i++) seen.add(allocator.nextSeq())
  expect(seen.size).toBe(11 * 1024)
  for (let i = 0; i < 3; i++) {
    const error = refusal('CLOCK_AHEAD', () => allocator.nextSeq()) as ClockAheadError
    expect(error).toMatchObject({ retryInMs: 1, retryable: true, outcome: 'not-applied' })
  }
  clock.nowMs += 1
  expect(seen.has(allocator.nextSeq())).toBe(false)
})

test('[B7] the last legal id, then a typed error; a decoded time equals the clock', () => {
  const clock = new ManualClock(vectors.firstMsPastHorizon - 1)
  const allocator = new IdAllocator({ clock })
  for (let i = 0; i < 1024; i++)
    expect(allocator.parts(allocator.next(codec, 3))).toEqual({ shard: 3, timeMs: clock.nowMs, counter: i })
  const error = refusal('LAYOUT_EXPIRED', () => allocator.nextSeq())
  expect(error).toMatchObject({ expiresAtMs: vectors.firstMsPastHorizon, retryable: false })
  for (const past of [0, 1, 1e6]) {
    clock.nowMs = vectors.firstMsPastHorizon + past
    refusal('LAYOUT_EXPIRED', () => new IdAllocator({ clock }).nextSeq())
  }
})

test('before the epoch nothing is minted, also after ids were', () => {
  const clock = new ManualClock(epochMs - 1)
  const allocator = new IdAllocator({ clock })
  refusal('CLOCK_BEFORE_EPOCH', () => allocator.nextSeq())
  clock.nowMs = epochMs
  expect(allocator.nextSeq()).toBe(1n)
  clock.nowMs = 0
  refusal('CLOCK_BEFORE_EPOCH', () => allocator.nextSeq())
})

describe('startAfterAhead', () => {
  test('waits until no id can repeat one of a process that ended just before', () => {
    const clock = new ManualClock(epochMs + 1000)
    const old = new IdAllocator({ clock })
    const first = new Set<bigint>()
    for (let i = 0; i < 11 * 1024; i++) first.add(old.nextSeq())
    const next = new IdAllocator({ clock, startAfterAhead: true })
    const error = refusal('CLOCK_AHEAD', () => next.nextSeq()) as ClockAheadError
    expect(error.retryInMs).toBe(11)
    clock.nowMs += error.retryInMs - 1
    refusal('CLOCK_AHEAD', () => next.nextSeq())
    clock.nowMs += 1
    for (let i = 0; i < 1024; i++) expect(first.has(next.nextSeq())).toBe(false)
  })
  test('a clock that gives no time is refused at once', () => {
    const clock = new ManualClock(Number.NaN)
    refusal('INVALID_ARGUMENT', () => new IdAllocator({ clock, startAfterAhead: true }))
  })
})

describe('nextMany', () => {
  test('all in a row, or none', () => {
    const clock = new ManualClock(epochMs + 1000)
    const allocator = new IdAllocator({ clock })
    const ids = allocator.nextMany(codec, 5, 10_000)
    expect(ids).toBeInstanceOf(BigUint64Array)
    expect(ids.every((id, i) => i === 0 || id === (ids[i - 1] as bigint) + 1n)).toBe(true)
    refusal('CLOCK_AHEAD', () => allocator.nextMany(codec, 5, 10_000))
    expect(allocator.next(codec, 5)).toBe((ids[9_999] as bigint) + 1n)
  })

  test('more than any clock allows at once is refused, naming how many are', () => {
    const clock = new ManualClock(epochMs + 1000)
    const { message } = refusal('INVALID_ARGUMENT', () =>
      new IdAllocator({ clock }).nextMany(codec, 5, 11_265),
    )
    expect(message).toContain('from 1 to 11264')
    expect(new IdAllocator({ clock }).nextMany(codec, 5, 11_264)).toHaveLength(11_264)
    const patient = new IdAllocator({ clock, maxAheadMs: 3_600_000 })
    refusal('INVALID_ARGUMENT', () => patient.nextMany(codec, 5, 1_000_001))
  })
})

describe('wait', () => {
  const moving =
    (clock: ManualClock, waits: number[]): Delay =>
    async (ms) => {
      waits.push(ms)
      clock.nowMs += ms
    }

  test('waits as long as the refusal says', async () => {
    const clock = new ManualClock(epochMs + 1000)
    const waits: number[] = []
    const allocator = new IdAllocator({ clock, delay: moving(clock, waits) })
    allocator.nextMany(codec, 1, 11 * 1024)
    const id = await allocator.wait(codec, 1)
    expect(waits).toEqual([1])
    expect(allocator.parts(id).timeMs).toBe(epochMs + 1000 + 11)
  })

  test('a clock that went back for days is waited for in bounded steps', async () => {
    const clock = new ManualClock(epochMs + 1000 + 10 * 86_400_000)
    const waits: number[] = []
    const allocator = new IdAllocator({ clock, delay: moving(clock, waits) })
    const before = allocator.next(codec, 1)
    clock.nowMs -= 10 * 86_400_000
    expect((await allocator.wait(codec, 1)) > before).toBe(true)
    expect(waits.every((ms) => ms > 0 && ms <= 60_000)).toBe(true)
  })

  test('an abort ends it, and a lasting refusal is not waited for', async () => {
    const clock = new ManualClock(epochMs + 1000)
    const allocator = new IdAllocator({ clock, maxAheadMs: 0 })
    allocator.nextMany(codec, 1, 1024)
    const controller = new AbortController()
    const waiting = rejection('ABORTED', allocator.wait(codec, 1, { signal: controller.signal }))
    controller.abort('why')
    expect((await waiting).cause).toBe('why')
    clock.nowMs = 0
    await rejection('CLOCK_BEFORE_EPOCH', allocator.wait(codec, 1))
    await rejection('INVALID_ARGUMENT', allocator.wait(codec, 2048))
  })
})

describe('range', () => {
  const allocator = new IdAllocator({ clock: new ManualClock(epochMs + 5000) })

  test('holds exactly the ids of its time, on its shard', () => {
    const clock = new ManualClock(epochMs)
    const minting = new IdAllocator({ clock, maxAheadMs: 0 })
    const { from, to } = minting.range(codec, 7, epochMs + 10, epochMs + 20)
    for (const ms of [9, 10, 19, 20]) {
      clock.nowMs = epochMs + ms
      const ids = minting.nextMany(codec, 7, 1024)
      const within = ids.every((id) => from <= id && id < to)
      expect(within).toBe(ms === 10 || ms === 19)
      expect(ids.some((id) => from <= id && id < to)).toBe(within)
    }
  })

  test('may be empty and may reach the horizon', () => {
    const empty = allocator.range(codec, 7, epochMs, epochMs)
    expect(empty.from).toBe(empty.to)
    const all = allocator.range(codec, 7, epochMs, allocator.expiresAtMs)
    expect(all).toEqual({ from: codec.compose(7, 0n), to: codec.compose(8, 0n) })
  })

  test('refuses times out of range and backwards', () => {
    for (const [from, to] of [
      [epochMs - 1, epochMs],
      [epochMs + 1, epochMs],
      [epochMs, allocator.expiresAtMs + 1],
    ])
      refusal('INVALID_ARGUMENT', () => allocator.range(codec, 7, from as number, to as number))
  })
})

describe('layout and codec', () => {
  test('a sequence wider than the codec allows is refused at first use, never cut', async () => {
    const allocator = new IdAllocator({ clock: new ManualClock(epochMs + 1000) })
    const narrow = new ShardCodec({ shardBits: 13 })
    refusal('LAYOUT_MISMATCH', () => allocator.next(narrow, 1))
    refusal('LAYOUT_MISMATCH', () => allocator.nextMany(narrow, 1, 2))
    refusal('LAYOUT_MISMATCH', () => allocator.range(narrow, 1, epochMs, epochMs))
    await rejection('LAYOUT_MISMATCH', allocator.wait(narrow, 1))
    expect(allocator.next(new ShardCodec({ shardBits: 8 }), 1)).toBeGreaterThan(0n)
  })

  test('a codec of another split takes its own ids apart', () => {
    const allocator = new IdAllocator({ clock: new ManualClock(epochMs + 1000) })
    const eight = new ShardCodec({ shardBits: 8 })
    const parts = { shard: 100, timeMs: epochMs + 1000, counter: 0 }
    expect(allocator.parts(allocator.next(eight, 100), eight)).toEqual(parts)
  })

  test('safeInteger ids are safe integers', () => {
    const layout = layouts.safeInteger
    const safe = new ShardCodec({ shardBits: 8, idBits: 53 })
    const clock = new ManualClock(layout.epochMs + 2 ** 41 - 1)
    const id = new IdAllocator({ layout, clock }).next(safe, 255)
    expect(Number.isSafeInteger(Number(id))).toBe(true)
    expect(new IdAllocator({ layout, clock }).parts(id)).toEqual({
      shard: 255,
      timeMs: clock.nowMs,
      counter: 0,
    })
  })

  test('changing the layout that was given changes nothing', () => {
    const layout = { ...layouts.default }
    const clock = new ManualClock(epochMs + 1000)
    const allocator = new IdAllocator({ layout, clock })
    layout.epochMs = 0
    expect(allocator.parts(allocator.next(codec, 1)).timeMs).toBe(clock.nowMs)
  })
})

test('ids and sequences are bigint, instants are number', () => {
  const allocator = new IdAllocator()
  expectTypeOf(allocator.nextSeq()).toEqualTypeOf<bigint>()
  expectTypeOf(allocator.next(codec, 1)).toEqualTypeOf<bigint>()
  expectTypeOf<ReturnType<IdAllocator['wait']>>().resolves.toEqualTypeOf<bigint>()
  expectTypeOf<ReturnType<IdAllocator['nextMany']>>().toExtend<BigUint64Array>()
  expectTypeOf(allocator.expiresAtMs).toEqualTypeOf<number>()
})
