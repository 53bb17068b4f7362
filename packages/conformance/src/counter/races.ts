import assert from 'node:assert/strict'
import type { Counter } from '@shard/s3-alloc'
import { type Check, made, raised, read } from './check.ts'

const RACERS = 8

export function races(test: Check): void {
  test('of many that make it at once, one does', async (_, host) => {
    const counters = await handles(host)
    const results = await Promise.all(counters.map((counter, i) => settled(counter.swap(null, BigInt(i)))))
    const winners = results.flatMap((result, i) => (result === 'ok' ? [BigInt(i)] : []))
    assert.ok(winners.length <= 1)
    const { value } = await read(counters[0] as Counter)
    if (winners.length === 1) assert.equal(value, winners[0])
  })

  test('of many swaps of one version, one is ok, and its value is there', async (counter, host) => {
    await made(counter, 0n)
    const counters = await handles(host)
    for (const one of counters) await raised(one, 1n)
    for (let round = 1; round <= 3; round++) {
      const { version } = await read(counter)
      const values = counters.map((_, i) => BigInt(round * 100 + i))
      const results = await Promise.all(
        counters.map((one, i) => settled(one.swap(version, values[i] as bigint))),
      )
      const winners = values.filter((_, i) => results[i] === 'ok')
      assert.ok(winners.length <= 1, `${winners.length} have won`)
      if (winners.length === 1) assert.equal((await read(counter)).value, winners[0])
    }
  })

  test('increments by many at once are all counted', async (counter, host) => {
    await made(counter, 0n)
    const each = 3
    const counters = await handles(host)
    const sums = await Promise.all(counters.map((one) => increment(one, each)))
    assert.deepEqual(
      sums,
      counters.map(() => each),
    )
    assert.equal((await read(counter)).value, BigInt(RACERS * each))
  })
}

function handles(host: { counter(): Promise<Counter> }): Promise<Counter[]> {
  return Promise.all(Array.from({ length: RACERS }, () => host.counter()))
}

/** Adds 1 until it has done so `times`; an unknown swap would leave the sum unknown too. */
async function increment(counter: Counter, times: number): Promise<number> {
  let done = 0
  while (done < times) {
    const { value, version } = await read(counter)
    const result = await settled(counter.swap(version, value + 1n))
    assert.notEqual(result, 'unknown')
    if (result === 'ok') done++
  }
  return done
}

/** A store that is too busy for one of many at once has lost it for that one. */
async function settled(swap: Promise<string>): Promise<string> {
  return swap.catch((error: { outcome?: string; retryable?: boolean }) => {
    if (error.retryable && error.outcome === 'not-applied') return 'lost'
    throw error
  })
}
