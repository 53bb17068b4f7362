import { s3Counter } from '@shard/s3-alloc/s3'
import fc from 'fast-check'
import { type Act, GENERATION, play, type Schedule } from './block-schedule.ts'
import { BUCKET, type Carrier, carriedClient } from './counter-client.ts'
import { ScriptedStore, type StoreFault, storeFaults } from './counter-store.ts'
import { VirtualTime } from './counter-time.ts'

const ALLOCATORS = 3
const KEY = 'ids'

const act: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom<Act['kind'][]>('allocate', 'allocate', 'many', 'reserve', 'impatient', 'discard'),
  allocator: fc.nat(ALLOCATORS - 1),
  count: fc.integer({ min: 1, max: 6 }),
  afterMs: fc.constantFrom(0, 0, 3, 40, 2_500),
})

const fault: fc.Arbitrary<StoreFault | null> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(null) },
  { weight: 3, arbitrary: fc.constantFrom(...storeFaults) },
)

/** What can happen to three allocators. */
export const schedules: fc.Arbitrary<Schedule> = fc.record({
  acts: fc.array(act, { minLength: 1, maxLength: 3 }),
  faults: fc.array(fault, { maxLength: 6 }),
  latenciesMs: fc.array(fc.constantFrom(1, 5, 30), { minLength: 1, maxLength: 5 }),
  comparison: fc.constantFrom('quoted', 'bare', 'either'),
  lowWater: fc.constantFrom(0, 0, 0.5),
  blockSize: fc.integer({ min: 1, max: 5 }),
  seed: fc.nat(),
})

/** Plays schedules on virtual time, over one client of the real SDK. */
export class VirtualStage {
  #carry: Carrier = async () => 'broken'
  readonly #client = carriedClient((request) => this.#carry(request))
  requests = 0

  /** Before the first schedule: loads what takes real time to load. */
  async open(): Promise<void> {
    await s3Counter({ client: this.#client, bucket: BUCKET })
      .load()
      .catch(() => {})
  }

  async play(schedule: Schedule): Promise<void> {
    const time = new VirtualTime()
    const store = new ScriptedStore(schedule.comparison)
    store.put(KEY, firstBody)
    let faults: readonly (StoreFault | null)[] = schedule.faults
    let request = 0
    const latency = (): number => schedule.latenciesMs[request % schedule.latenciesMs.length] ?? 1
    this.#carry = async (sent) => {
      const fault = faults[request++] ?? null
      this.requests++
      await time.delay(latency())
      const end = store.handle(sent, fault)
      for (const late of store.late.splice(0)) void time.delay(latency() * 100).then(late)
      await time.delay(latency())
      return end
    }
    const { delay } = time
    const counters = Array.from({ length: ALLOCATORS }, () =>
      s3Counter({ client: this.#client, bucket: BUCKET, key: KEY, clock: time, delay }),
    )
    const stopFaults = (): void => {
      faults = []
    }
    const limits = { timeoutMs: 10_000, callTimeoutMs: 5_000, retry: { baseMs: 20, capMs: 2_000 } }
    const highest = async (): Promise<bigint> => store.highest
    await time.run(play(schedule, { clock: time, delay, counters, ...limits, highest, stopFaults }))
  }
}

/** The object of a new counter. */
export const firstBody: string = JSON.stringify({
  format: 1,
  value: '0',
  generation: GENERATION,
  home: null,
  nonce: 'first',
})

/** How many schedules a file plays at most, and how many at least. */
const MOST = 10_000
const FEWEST = 300

/** How long a file may play, in ms, once it has played the fewest. */
const LIMIT_MS = 20_000

/**
 * Plays random schedules: as many as fit in the time, or exactly as many as `SHARD_SCHEDULES` says, whatever the
 * time. How many were played.
 */
export async function playMany(): Promise<number> {
  const exactly = process.env.SHARD_SCHEDULES
  const stage = new VirtualStage()
  await stage.open()
  let played = 0
  const property = fc.asyncProperty(schedules, async (schedule) => {
    await stage.play(schedule)
    played++
  })
  if (exactly) await fc.assert(property, { numRuns: Number(exactly) })
  else {
    await fc.assert(property, { numRuns: FEWEST })
    await fc.assert(property, { numRuns: MOST - FEWEST, interruptAfterTimeLimit: LIMIT_MS })
  }
  return played
}
