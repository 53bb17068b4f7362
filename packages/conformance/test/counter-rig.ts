import { BlockAllocator, type BlockAllocatorOptions, type Counter } from '@shard/s3-alloc'
import { type S3CounterOptions, s3Counter } from '@shard/s3-alloc/s3'
import { firstBody } from './block-schedules.ts'
import { BUCKET, carriedClient } from './counter-client.ts'
import {
  type EtagComparison,
  ScriptedStore,
  type StoreEnd,
  type StoreFault,
  type StoreRequest,
} from './counter-store.ts'
import { VirtualTime } from './counter-time.ts'

/** The key of the counter of a rig. */
export const KEY = 'ids'

/** A store, the real SDK before it, and time that tests own. */
export interface Rig {
  readonly time: VirtualTime
  readonly store: ScriptedStore
  /** What came to the store, in order. */
  readonly requests: StoreRequest[]
  /** What the next requests meet, in order; the answer of a function goes back as it is. */
  readonly faults: (StoreFault | null | ((request: StoreRequest) => StoreEnd))[]
  counter(options?: Partial<S3CounterOptions>): Counter
  allocator(options?: Partial<BlockAllocatorOptions>): BlockAllocator
  /** Lets time pass until the work has ended. */
  run<T>(work: Promise<T>): Promise<T>
}

/** A rig whose counter is made (at 0), unless `body` says otherwise. */
export function rig(body: string | null = firstBody, comparison: EtagComparison = 'either'): Rig {
  const time = new VirtualTime()
  const store = new ScriptedStore(comparison)
  if (body !== null) store.put(KEY, body)
  const requests: StoreRequest[] = []
  const faults: Rig['faults'] = []
  const client = carriedClient(async (request) => {
    requests.push(request)
    const fault = faults.shift() ?? null
    await time.delay(5)
    const end = typeof fault === 'function' ? fault(request) : store.handle(request, fault)
    await time.delay(5)
    return end
  })
  const { delay } = time
  const counter: Rig['counter'] = (options) =>
    s3Counter({ client, bucket: BUCKET, key: KEY, home: 'here', clock: time, delay, ...options })
  return {
    time,
    store,
    requests,
    faults,
    counter,
    allocator: (options) =>
      new BlockAllocator({
        counter: counter(),
        clock: time,
        delay,
        random: () => 0.5,
        lowWater: 0,
        ...options,
      }),
    run: (work) => time.run(work),
  }
}
