import assert from 'node:assert/strict'
import { type Clock, type Delay, isShardError } from '@shard/core'
import { BlockAllocator, type Counter, repair } from '@shard/s3-alloc'
import { type EtagComparison, isAccident, type StoreFault } from './counter-store.ts'

/** Something that an app does with one of its allocators. */
export interface Act {
  readonly kind: 'allocate' | 'many' | 'reserve' | 'impatient' | 'discard'
  readonly allocator: number
  readonly count: number
  /** How long after the act before it. */
  readonly afterMs: number
}

/** What happens in one run: acts, and what befalls each request in turn. */
export interface Schedule {
  readonly acts: readonly Act[]
  readonly faults: readonly (StoreFault | null)[]
  readonly latenciesMs: readonly number[]
  readonly comparison: EtagComparison
  readonly blockSize: number
  readonly lowWater: number
  readonly seed: number
}

/** Where a schedule is played. */
export interface Stage {
  readonly clock: Clock
  readonly delay: Delay
  readonly counters: readonly Counter[]
  readonly timeoutMs: number
  readonly callTimeoutMs: number
  readonly retry: { readonly baseMs: number; readonly capMs: number }
  /** The highest value that the store has ever kept: what a perfect witness knows. */
  highest(): Promise<bigint>
  /** From now on no request meets a fault. */
  stopFaults(): void
}

/** What has been given to whom, and what must hold of it. */
class Ledger {
  readonly #given = new Set<bigint>()
  give(ids: readonly bigint[]): void {
    for (const id of ids) {
      assert.ok(!this.#given.has(id), `${id} was given twice`)
      this.#given.add(id)
    }
  }
}

/** One allocator's own ids: ascending in the order of its calls. */
class Own {
  readonly calls: (readonly bigint[])[] = []

  check(): void {
    const ids = this.calls.flat()
    for (const [i, id] of ids.entries()) assert.ok(i === 0 || id > (ids[i - 1] as bigint), 'not ascending')
  }
}

/** No call can be longer than the visit under way and its own. */
const VISITS = 2

/**
 * Plays a schedule and checks that no id is given twice, that each allocator's rise, that each call ends in its
 * time with ids or a typed error, and that all get ids once the faults are over.
 */
export async function play(schedule: Schedule, stage: Stage): Promise<void> {
  const { clock, counters } = stage
  const ledger = new Ledger()
  const allocators = counters.map((counter) => open(counter, schedule, stage))
  const own = counters.map(() => new Own())
  const call = async (act: Act): Promise<void> => {
    const { allocator: i } = act
    const startMs = clock.monotonicMs()
    const ids: bigint[] = []
    if (act.kind !== 'reserve') own[i]?.calls.push(ids)
    try {
      ids.push(...(await perform(allocators[i] as BlockAllocator, act, stage)))
      ledger.give(ids)
    } catch (error) {
      if (!isShardError(error)) throw error
    }
    const tookMs = clock.monotonicMs() - startMs
    assert.ok(tookMs <= VISITS * stage.timeoutMs + SLACK_MS, `a call took ${tookMs} ms`)
  }
  const calls: Promise<void>[] = []
  for (const act of schedule.acts) {
    if (act.afterMs > 0) await stage.delay(act.afterMs)
    calls.push(call(act))
  }
  await Promise.all(calls)
  stage.stopFaults()
  if (schedule.faults.some((fault) => fault !== null && isAccident(fault)))
    await mend(counters[0] as Counter, stage)
  for (const [i, allocator] of allocators.entries()) {
    const id = await allocator.allocate()
    ledger.give([id])
    own[i]?.calls.push([id])
  }
  for (const one of own) one.check()
  await Promise.all(allocators.map((allocator) => allocator.close()))
}

/** Real clocks are read late. */
const SLACK_MS = 250

function open(counter: Counter, schedule: Schedule, stage: Stage): BlockAllocator {
  const { clock, delay, timeoutMs, callTimeoutMs, retry } = stage
  return new BlockAllocator({
    counter,
    blockSize: schedule.blockSize,
    lowWater: schedule.lowWater,
    floor: () => stage.highest(),
    floorMaxAgeMs: 0,
    generation: GENERATION,
    clock,
    delay,
    timeoutMs,
    callTimeoutMs,
    retry,
    random: randomOf(schedule.seed),
  })
}

async function perform(allocator: BlockAllocator, act: Act, { delay }: Stage): Promise<bigint[]> {
  if (act.kind === 'discard') {
    allocator.discard()
    return []
  }
  if (act.kind === 'many') return allocator.allocateMany(act.count)
  if (act.kind === 'reserve') {
    const { from, to } = await allocator.reserve(act.count)
    assert.equal(to - from, BigInt(act.count))
    return Array.from({ length: act.count }, (_, i) => from + BigInt(i))
  }
  if (act.kind === 'allocate') return [await allocator.allocate()]
  const stop = new AbortController()
  void delay(act.count * 10).then(() => stop.abort())
  return [await allocator.allocate({ signal: stop.signal })]
}

/** What an operator does after an accident. */
async function mend(counter: Counter, { highest, delay }: Stage): Promise<void> {
  await repair(counter, { atLeast: await highest(), generation: GENERATION, delay })
}

/** The generation of every counter of these tests. */
export const GENERATION = 'first'

/** Numbers from 0 up to, but not, 1, the same for the same seed. */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
