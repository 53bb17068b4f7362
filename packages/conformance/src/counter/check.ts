import assert from 'node:assert/strict'
import type { Counter, CounterReading } from '@shard/s3-alloc'

/** Where counters are kept while they are tested. */
export interface CounterHost {
  /** A new handle of a counter: the same name, wherever it is opened, is the same counter. */
  counter(name?: string): Promise<Counter>
  close(): Promise<void>
}

/** A test of a counter that has not been made yet. */
export type Check = (name: string, body: (counter: Counter, host: CounterHost) => Promise<void>) => unknown

/** Reads a counter that must be there. */
export async function read(counter: Counter): Promise<CounterReading> {
  return (await counter.load()) ?? assert.fail('there is no counter')
}

/** Makes a counter. */
export async function made(counter: Counter, value: bigint): Promise<CounterReading> {
  assert.equal(await counter.swap(null, value), 'ok')
  return read(counter)
}

/** Raises a counter that nobody else touches: a store may refuse once, until it is known how it wants to be asked. */
export async function raised(counter: Counter, value: bigint): Promise<CounterReading> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const { version } = await read(counter)
    if ((await counter.swap(version, value)) === 'ok') return read(counter)
  }
  return assert.fail('the counter cannot be raised')
}
