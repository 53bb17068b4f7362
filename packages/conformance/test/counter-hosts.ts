import { type Counter, memoryCounter } from '@shard/s3-alloc'
import { s3Counter } from '@shard/s3-alloc/s3'
import type { CounterHost } from '../src/counter.suite.ts'
import { BUCKET, carriedClient } from './counter-client.ts'
import { openPlace } from './counter-places.ts'
import { type EtagComparison, ScriptedStore } from './counter-store.ts'
import type { OwnPlace } from './counter-stores.ts'

/** The name of a counter whose name does not matter. */
const ANY = 'ids'

/** Counters of a place, each over connections of its own. */
export async function counterHost({ place, drop }: OwnPlace): Promise<CounterHost> {
  const opened: { close(): Promise<void> }[] = []
  return {
    async counter(name = ANY) {
      const one = openPlace(place)
      opened.push(one)
      return one.counter(name)
    },
    async close() {
      await Promise.all(opened.map((one) => one.close()))
      await drop()
    },
  }
}

/** Counters in memory. */
export async function memoryHost(): Promise<CounterHost> {
  const counters = new Map<string, Counter>()
  return {
    async counter(name = ANY) {
      const counter = counters.get(name) ?? memoryCounter()
      counters.set(name, counter)
      return counter
    },
    close: async () => {},
  }
}

/** Counters behind the real SDK in a store that does nothing wrong, and compares ETags in its own way. */
export async function scriptedHost(comparison: EtagComparison): Promise<CounterHost> {
  const store = new ScriptedStore(comparison)
  const client = carriedClient(async (request) => store.handle(request, null))
  return {
    counter: async (name = ANY) => s3Counter({ client, bucket: BUCKET, key: name }),
    close: async () => client.destroy(),
  }
}
