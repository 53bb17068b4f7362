import {
  type Clock,
  ClockSkewError,
  checkFamily,
  checkInteger,
  checkLayout,
  checkSignal,
  checkText,
  type Delay,
  InvalidArgumentError,
  NoFreeWorkerError,
} from '@shard/core'
import type { Lease, LeaseFolder, Leases } from '@shard/sql'
import { HeldWorker, windowOf } from './held-worker.ts'
import type { LayoutRecord } from './layout-record.ts'
import { holdersOf, inOrder, latestEndMs } from './worker-choice.ts'
import type { AcquireWorkerOptions, WorkerLeases, WorkerLeasesOptions } from './worker-leases.ts'

/** What worker leases stand on. */
export interface WorkerGround {
  readonly leases: Leases
  readonly record: LayoutRecord
  readonly clock: Clock
  readonly delay: Delay
}

/** Two hours. */
const MAX_CLOCK_SKEW_MS = 7_200_000

/** A lease must outlast its margin by far, and its window must fit an hour; see `bumpLeases`. */
const TTL_MS = { min: 1_000, max: 1_800_000 }

/** How often the numbers are looked at again, when rivals took all that were free. */
const MAX_LOOKS = 4

/** The numbers of a family as they were seen, and what this host's clocks said just before. */
interface Sight {
  readonly folder: LeaseFolder
  readonly nowMs: number
  readonly monotonicMs: number
}

/** Worker leases over where leases and the layout are kept: what all adapters share. */
export function workerLeasesOver(ground: WorkerGround, options: WorkerLeasesOptions): WorkerLeases {
  if (typeof options !== 'object' || options === null)
    throw new InvalidArgumentError('worker leases need at least a family')
  const family = checkFamily(options.family)
  const given = options.layout === undefined ? undefined : checkLayout(options.layout)
  const { maxClockSkewMs = MAX_CLOCK_SKEW_MS } = options
  checkInteger('maxClockSkewMs', maxClockSkewMs, 0, Number.MAX_SAFE_INTEGER)
  return {
    family,
    async acquire(asked) {
      const wish = checkWish(asked)
      const layout = await ground.record.settle(given, wish)
      const count = 2 ** layout.workerBits
      let sight: Sight
      let look = 0
      do {
        sight = await see(ground, family, maxClockSkewMs, wish)
        const { folder, nowMs } = sight
        const candidates = inOrder(folder, {
          ...{ count, nowMs, maxClockSkewMs },
          windowMs: windowOf(wish.ttlMs),
        })
        let tries = 0
        for (const worker of candidates) {
          tries++
          const taken = await take(ground, `${folderOf(family)}/${worker}`, wish, sight)
          if (!taken) continue
          if (taken.lease.markMs <= latestEndMs(folder, { maxClockSkewMs }))
            return new HeldWorker(ground, { worker, layout, ttlMs: wish.ttlMs, ...taken })
          // Rivals have used the number since it was looked at.
          await taken.lease.release(wish)
        }
        if (tries === 0) break
      } while (++look < MAX_LOOKS)
      throw new NoFreeWorkerError(holdersOf(sight.folder), count)
    },
  }
}

function folderOf(family: string): string {
  return `worker/${family}`
}

async function see(
  { leases, clock }: WorkerGround,
  family: string,
  maxSkewMs: number,
  { signal }: AcquireWorkerOptions,
): Promise<Sight> {
  const nowMs = Math.floor(clock.now())
  const monotonicMs = clock.monotonicMs()
  const folder = await leases.readFolder(folderOf(family), { signal })
  const { readAtMs } = folder
  // It was read at some time between the two.
  const isClose = nowMs - maxSkewMs <= readAtMs && readAtMs <= Math.ceil(clock.now()) + maxSkewMs
  if (!isClose) throw new ClockSkewError(nowMs - readAtMs, maxSkewMs)
  return { folder, nowMs, monotonicMs }
}

/** Tries to take a number; its window begins at the instant, or at the number's mark if that is later. */
async function take(
  { leases, clock }: WorkerGround,
  name: string,
  { owner, ttlMs, signal }: AcquireWorkerOptions,
  sight: Sight,
): Promise<{ lease: Lease; acquiredAtMonotonicMs: number } | null> {
  const acquiredAtMonotonicMs = clock.monotonicMs()
  // The wall clock was compared with the database's, and may have been stepped since.
  const fromMs = sight.nowMs + Math.max(0, Math.floor(acquiredAtMonotonicMs - sight.monotonicMs))
  const reserve = { fromMs, lengthMs: windowOf(ttlMs) }
  const lease = await leases.acquire(name, { owner, ttlMs, reserve, signal })
  return lease && { lease, acquiredAtMonotonicMs }
}

function checkWish(asked: AcquireWorkerOptions): AcquireWorkerOptions {
  if (typeof asked !== 'object' || asked === null)
    throw new InvalidArgumentError('a worker is acquired by an owner for some time')
  const owner = checkText('the owner of a worker', asked.owner, 85)
  const ttlMs = checkInteger('ttlMs', asked.ttlMs, TTL_MS.min, TTL_MS.max)
  checkSignal(asked.signal)
  return { owner, ttlMs, signal: asked.signal }
}
