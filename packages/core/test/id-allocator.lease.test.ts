import { describe, expect, test, vi } from 'vitest'
import type { Delay } from '../src/delay.ts'
import type { ClockAheadError } from '../src/errors.ts'
import { IdAllocator } from '../src/id-allocator.ts'
import { ShardCodec } from '../src/id-codec.ts'
import { type Layout, layouts } from '../src/layout.ts'
import type { WorkerLease } from '../src/worker-lease.ts'
import { hostile } from './hostile.ts'
import { ManualClock } from './manual-clock.ts'
import { ManualLease } from './manual-lease.ts'
import { refusal, rejection } from './refusal.ts'

const { epochMs } = layouts.default
const codec = ShardCodec.default
const START = epochMs + 1_000_000

function leased(facts: ConstructorParameters<typeof ManualLease>[1] = {}) {
  const clock = new ManualClock(START)
  const worker = new ManualLease(clock, facts)
  return { clock, worker, allocator: new IdAllocator({ clock, worker }) }
}

describe('what is stamped', () => {
  test('the worker is in the top bits of the counter, 32 ids of it in a millisecond', () => {
    const { allocator } = leased({ worker: 31 })
    const counters = Array.from({ length: 33 }, () => allocator.parts(allocator.next(codec, 7)))
    expect(counters[0]).toEqual({ shard: 7, timeMs: START, counter: 31 * 32 })
    expect(counters[31]).toEqual({ shard: 7, timeMs: START, counter: 31 * 32 + 31 })
    expect(counters[32]).toEqual({ shard: 7, timeMs: START + 1, counter: 31 * 32 })
  })

  test('nextMany keeps to the worker too, over many milliseconds', () => {
    const { allocator } = leased({ worker: 5 })
    allocator.next(codec, 7)
    const ids = allocator.nextMany(codec, 7, 1_000)
    ids.forEach((id, i) => {
      const timeMs = START + Math.floor((i + 1) / 32)
      expect(allocator.parts(id)).toEqual({ shard: 7, timeMs, counter: 5 * 32 + ((i + 1) % 32) })
    })
  })

  test('time is that of the window and the monotonic clock, whatever the wall clock says', () => {
    const { clock, worker, allocator } = leased({ mintFromMs: START + 3_600_000 })
    clock.nowMs = Number.NaN
    clock.elapsedMs = 1_234.9
    expect(allocator.parts(allocator.next(codec, 1)).timeMs).toBe(worker.mintFromMs + 1_234)
    clock.elapsedMs = -5
    expect(allocator.parts(allocator.next(codec, 1)).timeMs).toBe(worker.mintFromMs + 1_234)
    const early = leased()
    early.clock.elapsedMs = -5
    expect(early.allocator.parts(early.allocator.next(codec, 1)).timeMs).toBe(early.worker.mintFromMs)
  })

  test('a lease that does not say when it was acquired counts from the allocator on', () => {
    const clock = new ManualClock(START)
    const { acquiredAtMonotonicMs: _, ...lease } = new ManualLease(clock)
    clock.elapsedMs = 500
    const allocator = new IdAllocator({ clock, worker: lease as unknown as WorkerLease })
    clock.elapsedMs = 501
    expect(allocator.parts(allocator.next(codec, 1)).timeMs).toBe(START + 1)
  })

  test('[B4] four workers with equal clocks: 200,000 ids on one shard, none twice; without leases there are', () => {
    const clock = new ManualClock(START)
    const mint = (options: (worker: number) => Partial<WorkerLease> | null): number => {
      const all = [0, 1, 2, 3].map((number) => {
        const worker = options(number) as WorkerLease | null
        return new IdAllocator({ clock, maxAheadMs: 5_000, ...(worker ? { worker } : {}) })
      })
      const ids = all.flatMap((allocator) => [...allocator.nextMany(codec, 9, 50_000)])
      return new Set(ids).size
    }
    expect(mint((worker) => new ManualLease(clock, { worker }))).toBe(200_000)
    expect(mint(() => null)).toBe(50_000)
  })
})

describe('the window', () => {
  test('nothing is stamped at its end or later; an extension lets it go on', async () => {
    const { clock, worker, allocator } = leased({ windowMs: 100 })
    const ids = allocator.nextMany(codec, 1, 3_200)
    expect(allocator.parts(ids[3_199] as bigint).timeMs).toBe(START + 99)
    const error = refusal('CLOCK_AHEAD', () => allocator.next(codec, 1)) as ClockAheadError
    expect(error.retryInMs).toBeGreaterThan(0)
    refusal('CLOCK_AHEAD', () => allocator.nextMany(codec, 1, 2))
    await worker.extend()
    expect(allocator.parts(allocator.next(codec, 1)).timeMs).toBe(START + 100)
    clock.elapsedMs = 200
    expect(refusal('LEASE_LOST', () => allocator.next(codec, 1)).retryable).toBe(true)
  })

  test('stamps run at most 5,000 ms ahead', () => {
    const { allocator } = leased({ windowMs: 3_600_000 })
    allocator.nextMany(codec, 1, 5_001 * 32)
    expect(refusal('CLOCK_AHEAD', () => allocator.next(codec, 1))).toMatchObject({ retryInMs: 1 })
    refusal('INVALID_ARGUMENT', () => allocator.nextMany(codec, 1, 5_001 * 32 + 1))
  })

  test('before the epoch or past the horizon it is of no use', () => {
    refusal('CLOCK_BEFORE_EPOCH', () => leased({ mintFromMs: epochMs - 1 }).allocator.nextSeq())
    const past = leased({ mintFromMs: epochMs + 2 ** 42 })
    refusal('LAYOUT_EXPIRED', () => past.allocator.nextSeq())
  })

  test('startAfterAhead has nothing to wait for', () => {
    const clock = new ManualClock(START)
    const worker = new ManualLease(clock)
    expect(new IdAllocator({ clock, worker, startAfterAhead: true }).nextSeq()).toBeGreaterThan(0n)
  })
})

describe('the end of the lease', () => {
  test('a margin before it ids must wait for an extension, at it they end', async () => {
    const { clock, worker, allocator } = leased({ ttlMs: 10_000 })
    clock.elapsedMs = 9_749
    allocator.next(codec, 1)
    clock.elapsedMs = 9_750
    expect(refusal('LEASE_LOST', () => allocator.next(codec, 1))).toMatchObject({
      retryable: true,
      worker: 3,
    })
    await worker.extend()
    allocator.next(codec, 1)
    clock.elapsedMs = 19_750
    expect(refusal('LEASE_LOST', () => allocator.next(codec, 1)).retryable).toBe(false)
  })

  test('a lease that was lost, or released, ends them at once', async () => {
    const first = leased()
    first.allocator.next(codec, 1)
    first.worker.lose()
    expect(refusal('LEASE_LOST', () => first.allocator.next(codec, 1)).retryable).toBe(false)
    refusal('LEASE_LOST', () => first.allocator.nextMany(codec, 1, 5))
    const second = leased()
    await second.worker.release()
    refusal('LEASE_LOST', () => second.allocator.nextSeq())
  })

  test('a clock that gives no time ends them', () => {
    const { clock, allocator } = leased()
    clock.elapsedMs = Number.NaN
    refusal('LEASE_LOST', () => allocator.next(codec, 1))
  })

  test('wait outlasts a late extension, and ends with the lease', async () => {
    const clock = new ManualClock(START)
    const worker = new ManualLease(clock, { ttlMs: 10_000 })
    const waits: number[] = []
    const delay: Delay = async (ms) => {
      waits.push(ms)
      clock.elapsedMs += ms
      if (clock.elapsedMs === 9_900) await worker.extend()
    }
    const allocator = new IdAllocator({ clock, worker, delay })
    clock.elapsedMs = 9_800
    expect(allocator.parts(await allocator.wait(codec, 1)).timeMs).toBe(START + 9_900)
    expect(waits).toEqual([50, 50])
    clock.elapsedMs = 19_700
    const error = await rejection('LEASE_LOST', allocator.wait(codec, 1))
    expect(error.retryable).toBe(false)
    expect(waits).toHaveLength(6)
  })

  test('wait looks for an extension of the window without a spin', async () => {
    const clock = new ManualClock(START)
    const worker = new ManualLease(clock, { windowMs: 10 })
    const waits: number[] = []
    const delay: Delay = async (ms) => {
      if (waits.push(ms) === 3) await worker.extend()
    }
    const allocator = new IdAllocator({ clock, worker, delay })
    allocator.nextMany(codec, 1, 320)
    expect(allocator.parts(await allocator.wait(codec, 1)).timeMs).toBe(START + 10)
    expect(waits).toEqual([50, 50, 50])
  })
})

describe('one lease, one allocator', () => {
  test('a second one is refused, also by another copy of the package', async () => {
    const { clock, worker, allocator } = leased()
    refusal('INVALID_ARGUMENT', () => new IdAllocator({ clock, worker }))
    vi.resetModules()
    const copy = await import('../src/id-allocator.ts')
    expect(copy.IdAllocator).not.toBe(IdAllocator)
    refusal('INVALID_ARGUMENT', () => new copy.IdAllocator({ clock, worker }))
    expect(allocator.next(codec, 1)).toBeGreaterThan(0n)
  })

  test('an allocator that is refused for another reason leaves it free', () => {
    const clock = new ManualClock(START)
    const worker = new ManualLease(clock)
    refusal('INVALID_ARGUMENT', () => new IdAllocator({ clock, worker, maxAheadMs: -1 }))
    refusal('LAYOUT_MISMATCH', () => new IdAllocator({ clock, worker, layout: layouts.safeInteger }))
    expect(new IdAllocator({ clock, worker }).nextSeq()).toBeGreaterThan(0n)
  })

  test('a frozen lease cannot be marked, so it is refused', () => {
    const clock = new ManualClock(START)
    const worker = Object.freeze(new ManualLease(clock))
    refusal('INVALID_ARGUMENT', () => new IdAllocator({ clock, worker }))
  })

  test('discard ends the allocator of a copied process, and leaves the lease alone', async () => {
    const { worker, allocator } = leased()
    allocator.discard()
    allocator.discard()
    refusal('CLOSED', () => allocator.next(codec, 1))
    refusal('CLOSED', () => allocator.nextMany(codec, 1, 2))
    await rejection('CLOSED', allocator.wait(codec, 1))
    expect(worker.lost.aborted).toBe(false)
    const alone = new IdAllocator()
    alone.discard()
    refusal('CLOSED', () => alone.nextSeq())
  })
})

describe('the layout of a lease', () => {
  const narrow: Layout = { ...layouts.default, workerBits: 2 }

  test("is the allocator's, unless another is named, which is refused", () => {
    const clock = new ManualClock(START)
    expect(new IdAllocator({ clock, worker: new ManualLease(clock, { layout: narrow }) }).layout).toEqual(
      narrow,
    )
    for (const change of [{ workerBits: 3 }, { counterBits: 9 }, { epochMs: 0 }, { shardBits: 11 }])
      refusal('LAYOUT_MISMATCH', () => {
        const worker = new ManualLease(clock, { layout: narrow })
        return new IdAllocator({ clock, worker, layout: { ...narrow, ...change } })
      })
  })

  test('a worker number that it has no bits for is refused', () => {
    const clock = new ManualClock(START)
    const take = (worker: number, layout: Layout) =>
      new IdAllocator({ clock, worker: new ManualLease(clock, { worker }), layout })
    refusal('LAYOUT_MISMATCH', () => take(4, narrow))
    refusal('LAYOUT_MISMATCH', () => take(1, layouts.safeInteger))
    expect(take(0, layouts.safeInteger).nextSeq()).toBeGreaterThan(0n)
  })
})

test('what is no lease is a typed error', () => {
  const clock = new ManualClock(START)
  const refuse = (worker: unknown): unknown =>
    refusal('INVALID_ARGUMENT', () => new IdAllocator({ clock, worker: worker as WorkerLease }))
  for (const value of hostile.filter((value) => value !== undefined)) {
    refuse(value)
    for (const field of ['worker', 'mintFromMs', 'mintUntilMs', 'lost']) {
      const lease = Object.defineProperty(new ManualLease(clock), field, { value })
      refuse(lease)
    }
  }
  for (const value of [Number.NaN, Number.POSITIVE_INFINITY, '5', 5n, null])
    refuse(Object.defineProperty(new ManualLease(clock), 'expiresAtMonotonicMs', { value }))
  refuse(new ManualLease(clock, { worker: -1 }))
  refuse(new ManualLease(clock, { windowMs: -1 }))
})
