import { delay, systemClock } from '@shard/core'
import { s3Counter } from '@shard/s3-alloc/s3'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { play, type Schedule } from './block-schedule.ts'
import { firstBody, schedules } from './block-schedules.ts'
import { BUCKET } from './counter-client.ts'
import { clientOf } from './counter-places.ts'
import { type CounterServer, counterServer } from './counter-server.ts'
import { ScriptedStore, type StoreFault } from './counter-store.ts'

const SCHEDULES = 200
/** Played side by side: what takes long in them is waiting. */
const AT_ONCE = 20

/** Each key is a store of its own, with faults of its own. */
const stores = new Map<string, { store: ScriptedStore; faults: (StoreFault | null)[] }>()
let server: CounterServer | null = null

beforeAll(async () => {
  server = await counterServer(async (request) => {
    const one = stores.get(request.key)
    if (!one) return { status: 500, headers: {}, body: '' }
    const end = one.store.handle(request, one.faults.shift() ?? null)
    for (const late of one.store.late.splice(0)) setTimeout(late, 20)
    return end
  })
})
afterAll(() => server?.close())

async function playOn(endpoint: string, schedule: Schedule, key: string): Promise<void> {
  const store = new ScriptedStore(schedule.comparison)
  store.put(key, firstBody)
  const own = { store, faults: [...schedule.faults] }
  stores.set(key, own)
  const client = clientOf(endpoint)
  const counters = Array.from({ length: 3 }, () =>
    s3Counter({ client, bucket: BUCKET, key, home: 'sockets', requestTimeoutMs: 1_500 }),
  )
  await play(
    { ...schedule, acts: schedule.acts.map((act) => ({ ...act, afterMs: Math.min(act.afterMs, 10) })) },
    {
      clock: systemClock,
      delay,
      counters,
      timeoutMs: 20_000,
      callTimeoutMs: 5_000,
      retry: { baseMs: 2, capMs: 50 },
      highest: async () => store.highest,
      stopFaults() {
        own.faults = []
      },
    },
  )
  client.destroy()
}

test(`${SCHEDULES} of the schedules over real sockets`, { timeout: 300_000 }, async () => {
  const endpoint = server?.endpoint ?? expect.fail('no server')
  const seed = Date.now() & 0xffff
  const all = fc.sample(schedules, { numRuns: SCHEDULES, seed }).entries()
  const worker = async (): Promise<void> => {
    for (const [i, schedule] of all)
      await playOn(endpoint, schedule, `ids-${i}`).catch((error: unknown) => {
        throw new Error(`seed ${seed}: ${JSON.stringify(schedule)}`, { cause: error })
      })
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  expect(stores.size).toBe(SCHEDULES)
})
