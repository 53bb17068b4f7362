import assert from 'node:assert/strict'
import {
  type Clock,
  type Delay,
  IdAllocator,
  type Layout,
  layouts,
  ShardCodec,
  type WorkerLease,
} from '@shard/core'
import type { AcquireWorkerOptions, WorkerLeases, WorkerLeasesOptions } from '@shard/registry'

/** One fresh control database, or whatever keeps worker numbers. */
export interface WorkerLeaseHost {
  /** Worker numbers on it; called more than once, they see each other's as processes do. */
  workers(options: WorkerLeasesOptions): WorkerLeases
  /** Makes every lease that is held expire, by the clock that decides it. */
  expire(): Promise<void>
  close(): Promise<void>
}

/** Declares a test on a fresh host. */
export type Check = (name: string, body: (host: WorkerLeaseHost) => Promise<void>) => unknown

/** The default layout with four workers only. */
export const narrow: Layout = { ...layouts.default, workerBits: 2 }

export const users: WorkerLeasesOptions = { family: 'users', layout: narrow }

/** How the tests ask, unless they care; long enough that nothing goes on in the background. */
export const ann: AcquireWorkerOptions = { owner: 'ann', ttlMs: 600_000 }

/** A host's clocks, which stand where a test puts them: the wall clock near the real one. */
export class HostClock implements Clock {
  aheadMs: number
  elapsedMs = 0
  readonly #startMs = Date.now()

  constructor(aheadMs = 0) {
    this.aheadMs = aheadMs
  }

  now(): number {
    return this.#startMs + this.aheadMs + this.elapsedMs
  }

  monotonicMs(): number {
    return this.elapsedMs
  }
}

/** Waits that end when a test says so. */
export class HeldDelays {
  readonly waits: { readonly ms: number; end(): void }[] = []

  readonly delay: Delay = (ms, signal) =>
    new Promise((resolve, reject) => {
      const wait = { ms, end: resolve }
      this.waits.push(wait)
      signal?.addEventListener('abort', () => {
        this.waits.splice(this.waits.indexOf(wait), 1)
        reject(signal.reason)
      })
    })

  /** Ends the waits of a length. */
  end(ms: number): void {
    for (const wait of this.waits.filter((one) => one.ms === ms)) {
      this.waits.splice(this.waits.indexOf(wait), 1)
      wait.end()
    }
  }
}

/** Some ids on shard 1, of an allocator of its own. */
export function mint(worker: WorkerLease, count: number, clock?: Clock): bigint[] {
  const allocator = new IdAllocator({ worker, ...(clock ? { clock } : {}) })
  return [...allocator.nextMany(ShardCodec.default, 1, count)]
}

export async function closeAll(leases: readonly WorkerLease[]): Promise<void> {
  for (const lease of leases) await lease.close()
}

export function rejects(call: Promise<unknown>, code: string): Promise<void> {
  return assert.rejects(call, { code })
}
