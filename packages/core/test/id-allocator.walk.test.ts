import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ClockAheadError, isShardError } from '../src/errors.ts'
import { IdAllocator } from '../src/id-allocator.ts'
import { ShardCodec } from '../src/id-codec.ts'
import { expiresAtMs, type Layout } from '../src/layout.ts'
import { ManualClock } from './manual-clock.ts'

/** Any legal split, tiny ones included, so that counters run over and horizons come soon. */
const anyLayout: fc.Arbitrary<Layout> = fc
  .record({
    idBits: fc.constantFrom(53 as const, 64 as const),
    shardBits: fc.integer({ min: 1, max: 24 }),
    counterBits: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 22 })),
    timeBits: fc.oneof(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 52 })),
    worker: fc.nat(22),
    epochMs: fc.oneof(fc.constant(0), fc.constant(1_704_067_200_000), fc.nat(2 ** 31 - 1)),
  })
  .map(({ worker, ...layout }) => ({
    ...layout,
    timeBits: Math.min(layout.timeBits, layout.idBits - layout.shardBits - layout.counterBits),
    workerBits: Math.min(worker, layout.counterBits),
  }))
  .filter(({ timeBits }) => timeBits >= 1)

/** How the clock moves before a call. */
type Step = { by: number } | { to: 'epoch' | 'horizon'; offset: number }

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ by: 0 }) },
  { weight: 3, arbitrary: fc.integer({ min: -5, max: 5 }).map((by) => ({ by })) },
  fc.double({ min: -2, max: 2, noNaN: true }).map((by) => ({ by })),
  fc.constantFrom(-3_600_000, 3_600_000, -86_400_000, 86_400_000).map((by) => ({ by })),
  fc.record({
    to: fc.constantFrom('epoch' as const, 'horizon' as const),
    offset: fc.integer({ min: -2, max: 1 }),
  }),
)

interface Call {
  readonly step: Step
  readonly kind: 'nextSeq' | 'next' | 'nextMany' | 'wait'
  /** Of the most that one call may take, 0 to 1. */
  readonly share: number
  readonly shard: number
}

const anyCall: fc.Arbitrary<Call> = fc.record({
  step: anyStep,
  kind: fc.constantFrom('nextSeq' as const, 'next' as const, 'nextMany' as const, 'wait' as const),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  shard: fc.nat(),
})

/** An allocator on a clock that a test walks, with what must hold after every call. */
class Walk {
  readonly clock: ManualClock
  readonly codec: ShardCodec
  readonly allocator: IdAllocator
  readonly layout: Layout
  readonly maxAheadMs: number
  last = 0n
  sleeps = 0

  constructor(layout: Layout, maxAheadMs: number) {
    this.layout = layout
    this.maxAheadMs = maxAheadMs
    this.codec = new ShardCodec({ shardBits: layout.shardBits, idBits: layout.idBits })
    this.clock = new ManualClock(layout.epochMs)
    const delay = async (ms: number): Promise<void> => {
      expect(ms).toBeGreaterThan(0)
      this.sleeps++
      this.clock.nowMs += ms
    }
    this.allocator = new IdAllocator({ layout, maxAheadMs, clock: this.clock, delay })
  }

  move(step: Step): void {
    if ('by' in step) this.clock.nowMs += step.by
    else
      this.clock.nowMs = step.offset + (step.to === 'epoch' ? this.layout.epochMs : expiresAtMs(this.layout))
  }

  async call({ kind, share, shard }: Call): Promise<void> {
    const on = shard % (this.codec.maxShard + 1)
    if (kind === 'nextSeq') this.accept([this.codec.compose(on, this.allocator.nextSeq())], on)
    else if (kind === 'next') this.accept([this.allocator.next(this.codec, on)], on)
    else if (kind === 'wait') await this.wait(on)
    else {
      const room = (this.maxAheadMs + 1) * 2 ** this.layout.counterBits
      const count = Math.max(1, Math.floor(share * Math.min(room, 5_000)))
      this.accept([...this.allocator.nextMany(this.codec, on, count)], on)
    }
  }

  /** Sleeps at most once a minute of what is missing: it never spins. */
  async wait(shard: number): Promise<void> {
    const aheadMs =
      Number(this.last >> BigInt(this.layout.counterBits)) + this.layout.epochMs - this.clock.nowMs
    if (aheadMs > 86_400_000) return
    this.sleeps = 0
    const id = await this.allocator.wait(this.codec, shard)
    expect(this.sleeps).toBeLessThanOrEqual(Math.max(0, aheadMs) / 60_000 + 2)
    this.accept([id], shard)
  }

  accept(ids: readonly bigint[], shard: number): void {
    const nowMs = Math.floor(this.clock.nowMs)
    for (const id of ids) {
      const seq = this.codec.seqOf(id)
      if (seq <= this.last) expect.fail(`${seq} after ${this.last}`)
      const before = Number(this.last >> BigInt(this.layout.counterBits)) + this.layout.epochMs
      this.last = seq
      const { timeMs, counter, ...parts } = this.allocator.parts(id, this.codec)
      if (parts.shard !== shard || id < 1n) expect.fail(`id ${id} decodes to shard ${parts.shard}`)
      if (counter < 0 || counter >= 2 ** this.layout.counterBits) expect.fail(`counter ${counter}`)
      if (timeMs < Math.max(before, nowMs) || timeMs > nowMs + this.maxAheadMs)
        expect.fail(`stamp ${timeMs} at ${nowMs}, after ${before}`)
    }
  }

  /** What a refusal must be true of. */
  async checkRefusal(error: unknown, call: Call): Promise<void> {
    const nowMs = Math.floor(this.clock.nowMs)
    const horizon = expiresAtMs(this.layout)
    if (isShardError(error, 'CLOCK_BEFORE_EPOCH')) expect(nowMs).toBeLessThan(this.layout.epochMs)
    else if (isShardError(error, 'LAYOUT_EXPIRED'))
      expect(nowMs + 5_000 + this.maxAheadMs).toBeGreaterThanOrEqual(horizon - this.#aheadMs(nowMs))
    else if (isShardError(error, 'CLOCK_AHEAD')) {
      const { retryInMs } = error as ClockAheadError
      expect(Number.isInteger(retryInMs) && retryInMs > 0).toBe(true)
      this.clock.nowMs += retryInMs
      await this.call(call).catch((again: unknown) => {
        if (!isShardError(again, 'LAYOUT_EXPIRED')) throw again
      })
    } else throw error
  }

  #aheadMs(nowMs: number): number {
    const lastMs = Number(this.last >> BigInt(this.layout.counterBits)) + this.layout.epochMs
    return Math.max(0, lastMs - nowMs)
  }
}

test('whatever the clock and the layout: unique, rising, decodable, and refusals that keep their word', async () => {
  let minted = 0
  await fc.assert(
    fc.asyncProperty(
      anyLayout,
      fc.constantFrom(0, 1, 10, 5_000),
      fc.array(anyCall, { minLength: 1, maxLength: 25 }),
      async (layout, maxAheadMs, calls) => {
        const walk = new Walk(layout, maxAheadMs)
        for (const call of calls) {
          walk.move(call.step)
          await walk.call(call).catch((error: unknown) => walk.checkRefusal(error, call))
        }
        if (walk.last > 0n) minted++
      },
    ),
    { numRuns: 300 },
  )
  expect(minted).toBeGreaterThan(200)
})

test('one call after another, in any interleaving with waiting ones: no id twice', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 }),
      async (scheduler, counts) => {
        const layout: Layout = {
          shardBits: 8,
          timeBits: 41,
          counterBits: 4,
          workerBits: 0,
          epochMs: 0,
          idBits: 53,
        }
        const codec = new ShardCodec({ shardBits: 8, idBits: 53 })
        const clock = new ManualClock(1_000)
        const delay = async (ms: number): Promise<void> => {
          await scheduler.schedule(Promise.resolve())
          clock.nowMs += ms
        }
        const allocator = new IdAllocator({ layout, clock, delay, maxAheadMs: 2 })
        const seen: bigint[] = []
        const callers = counts.map(async (count) => {
          for (let i = 0; i < count; i++) seen.push(await allocator.wait(codec, 1))
        })
        await scheduler.waitFor(Promise.all(callers))
        expect(new Set(seen).size).toBe(counts.reduce((a, b) => a + b, 0))
        expect(seen).toEqual([...seen].sort((a, b) => (a < b ? -1 : 1)))
      },
    ),
    { numRuns: 50 },
  )
})
