import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isShardError } from '../src/errors.ts'
import { IdAllocator } from '../src/id-allocator.ts'
import { ShardCodec } from '../src/id-codec.ts'
import type { Layout } from '../src/layout.ts'
import { ManualClock } from './manual-clock.ts'
import { ManualLease } from './manual-lease.ts'

/** Few bits for the counter, so that milliseconds are used up, and for workers, so that numbers come again. */
const anyLayout: fc.Arbitrary<Layout> = fc
  .record({ counterBits: fc.integer({ min: 1, max: 6 }), worker: fc.nat(2), wide: fc.boolean() })
  .map(({ counterBits, worker, wide }) => ({
    shardBits: wide ? 24 : 8,
    timeBits: wide ? 34 : 40,
    counterBits,
    workerBits: Math.min(worker, counterBits),
    epochMs: 0,
    idBits: 64,
  }))

/** What one of the processes does, or what happens to it. */
interface Step {
  readonly process: number
  readonly kind: 'next' | 'nextMany' | 'wait' | 'extend' | 'kill' | 'pause' | 'wall clock'
  /** A time, or a count of ids. */
  readonly amount: number
}

const anyStep: fc.Arbitrary<Step> = fc.record({
  process: fc.nat(3),
  kind: fc.constantFrom(
    ...(['next', 'nextMany', 'nextMany', 'wait', 'extend', 'kill', 'pause', 'wall clock'] as const),
  ),
  amount: fc.oneof(fc.nat(20), fc.nat(3_000)),
})

interface Process {
  readonly clock: ManualClock
  readonly lease: ManualLease
  readonly allocator: IdAllocator
  last: bigint
}

/** The database of worker numbers, and processes on hosts whose clocks differ. */
class Fleet {
  readonly made = new Set<bigint>()
  readonly codec: ShardCodec
  readonly layout: Layout
  readonly #marks: number[]
  readonly #processes: (Process | null)[] = [null, null, null, null]

  constructor(layout: Layout) {
    this.layout = layout
    this.codec = new ShardCodec({ shardBits: layout.shardBits })
    this.#marks = new Array(2 ** layout.workerBits).fill(0)
  }

  /** Takes the number with the lowest mark, whoever may still hold it: the windows must be enough. */
  acquire(index: number): Process {
    const worker = this.#marks.indexOf(Math.min(...this.#marks))
    const clock = new ManualClock(5_000_000 + (index - 2) * 3_600_000)
    const mintFromMs = Math.max(this.#marks[worker] as number, clock.nowMs)
    const lease = new ManualLease(clock, { worker, mintFromMs, windowMs: 2_000, ttlMs: 1_500 })
    this.#marks[worker] = lease.mintUntilMs
    const delay = async (ms: number): Promise<void> => {
      expect(ms).toBeGreaterThan(0)
      clock.elapsedMs += ms
    }
    const allocator = new IdAllocator({ layout: this.layout, worker: lease, clock, delay, maxAheadMs: 500 })
    return { clock, lease, allocator, last: 0n }
  }

  async step({ process: index, kind, amount }: Step): Promise<void> {
    this.#processes[index] ??= this.acquire(index)
    const process = this.#processes[index]
    const { clock, lease, allocator } = process
    if (kind === 'kill') this.#processes[index] = null
    else if (kind === 'pause') clock.elapsedMs += amount
    else if (kind === 'wall clock') clock.nowMs += (amount - 1_500) * 10_000
    else if (kind === 'extend') await this.#extend(lease)
    else if (kind === 'next') this.#accept(process, [allocator.next(this.codec, 1)])
    else if (kind === 'wait') this.#accept(process, [await allocator.wait(this.codec, 1)])
    else this.#accept(process, [...allocator.nextMany(this.codec, 1, 1 + (amount % 200))])
  }

  /** The database refuses when somebody has taken the number since. */
  async #extend(lease: ManualLease): Promise<void> {
    if (this.#marks[lease.worker] !== lease.mintUntilMs) lease.lose()
    else if (await lease.extend()) this.#marks[lease.worker] = lease.mintUntilMs
  }

  refused(error: unknown, index: number): void {
    if (isShardError(error, 'LEASE_LOST') && !error.retryable) this.#processes[index] = null
    else if (!isShardError(error, 'CLOCK_AHEAD') && !isShardError(error, 'LEASE_LOST')) throw error
  }

  #accept(process: Process, ids: readonly bigint[]): void {
    const { lease, allocator } = process
    for (const id of ids) {
      if (this.made.has(id)) expect.fail(`${id} twice`)
      if (id <= process.last) expect.fail(`${id} after ${process.last}`)
      this.made.add(id)
      process.last = id
      const { shard, timeMs, counter } = allocator.parts(id, this.codec)
      const worker = counter >> (this.layout.counterBits - this.layout.workerBits)
      if (shard !== 1 || worker !== lease.worker) expect.fail(`shard ${shard}, worker ${worker}`)
      if (timeMs < lease.mintFromMs || timeMs >= lease.mintUntilMs) expect.fail(`${timeMs} out of the window`)
    }
  }
}

test('whoever is killed or paused, and whatever clocks say: no id twice, each in its window', async () => {
  let made = 0
  await fc.assert(
    fc.asyncProperty(anyLayout, fc.array(anyStep, { minLength: 5, maxLength: 60 }), async (layout, steps) => {
      const fleet = new Fleet(layout)
      for (const step of steps) {
        await fleet.step(step).catch((error: unknown) => fleet.refused(error, step.process))
      }
      made += fleet.made.size
    }),
    { numRuns: 200 },
  )
  expect(made).toBeGreaterThan(10_000)
})
