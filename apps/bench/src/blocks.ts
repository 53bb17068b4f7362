import { type Clock, delay, systemClock } from '@shard/core'
import { BlockAllocator, type BlockAllocatorOptions, type Counter, memoryCounter } from '@shard/s3-alloc'
import type { Comparison } from './side-by-side.ts'

/** How long the store takes to answer. */
const ANSWER_MS = 50
const RUN_MS = 10_000
/** After so long the size of blocks has found its level. */
const STEADY_MS = 4_000
/** Between two turns of the event loop, without which no answer of any store could arrive. */
const BURST = 1_000

/** Ids from blocks, against a store that answers in 50 ms. */
export async function blocks(): Promise<Comparison[]> {
  console.log(`\nBlock ids, one at a time, from a store that answers in ${ANSWER_MS} ms`)
  const plain = await race('block 100, refilled in line', { lowWater: 0 })
  const adaptive = await race('adaptive, fetched ahead', { adaptive: true })
  console.log(`  adaptive against plain: ${(adaptive / plain).toFixed(0)} x`)
  await slow()
  return []
}

/** Allocates as fast as possible; ids a second. */
async function race(name: string, options: Partial<BlockAllocatorOptions>): Promise<number> {
  const puts = { count: 0 }
  const allocator = new BlockAllocator({ counter: await slowCounter(puts), ...options })
  const startMs = performance.now()
  let steady: { atMs: number; waits: number; puts: number } | null = null
  let ids = 0
  for (;;) {
    for (let i = 0; i < BURST; i++) await allocator.allocate()
    ids += BURST
    await new Promise(setImmediate)
    const elapsedMs = performance.now() - startMs
    if (elapsedMs >= STEADY_MS && !steady)
      steady = { atMs: elapsedMs, waits: allocator.stats().waits, puts: puts.count }
    if (elapsedMs >= RUN_MS) break
  }
  const seconds = (performance.now() - startMs) / 1_000
  const { waits, blockSize } = allocator.stats()
  const { atMs, ...before } = steady ?? { atMs: 0, waits: 0, puts: 0 }
  const putsPerSecond = (puts.count - before.puts) / (seconds - atMs / 1_000)
  await allocator.close()
  const rate = ids / seconds
  console.log(
    `  ${name.padEnd(30)} ${Math.round(rate).toLocaleString('en')} ids/s, after ${STEADY_MS / 1_000} s: ` +
      `${waits - before.waits} waits, ${putsPerSecond.toFixed(2)} PUT/s, block ${blockSize.toLocaleString('en')}`,
  )
  return rate
}

/** At one id a second, by a clock that leaps. */
async function slow(): Promise<void> {
  let nowMs = 0
  const clock: Clock = { now: () => systemClock.now(), monotonicMs: () => nowMs }
  const counter = memoryCounter()
  const allocator = new BlockAllocator({ counter, clock, adaptive: true })
  await allocator.initialize()
  let largest = 0
  for (let i = 0; i < 1_000; i++) {
    await allocator.allocate()
    await new Promise(setImmediate)
    nowMs += 1_000
    largest = Math.max(largest, allocator.stats().blockSize)
  }
  await allocator.close()
  console.log(`  ${'adaptive at 1 id/s'.padEnd(30)} the largest block had ${largest} ids`)
}

/** A counter in memory whose answers take their time. */
async function slowCounter(puts: { count: number }): Promise<Counter> {
  const counter = memoryCounter()
  await counter.swap(null, 0n)
  return {
    async load(call) {
      await delay(ANSWER_MS, call?.signal)
      return counter.load(call)
    },
    async swap(version, value, call) {
      puts.count++
      await delay(ANSWER_MS, call?.signal)
      return counter.swap(version, value, call)
    },
  }
}
