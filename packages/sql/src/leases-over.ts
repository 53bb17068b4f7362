import { type Clock, checkSignal, type Delay, systemClock, delay as timer } from '@shard/core'
import { HeldLease } from './held-lease.ts'
import type { Leases } from './lease.ts'
import {
  checkFolder,
  checkName,
  checkNames,
  checkOwner,
  checkReservation,
  checkTtl,
} from './lease-arguments.ts'
import type { LeaseStore } from './lease-store.ts'

/** What leases are made with; every field has a default. */
export interface LeaseOptions {
  /** For the local deadline. */
  readonly clock?: Clock
  /** Waits for the local deadline; its timer lives as long as the lease is held. */
  readonly delay?: Delay
  /** A text that nobody else will ever make (a random UUID). */
  readonly randomToken?: () => string
}

/** Leases over where they are kept: what all adapters share. */
export function leasesOver(store: LeaseStore, options: LeaseOptions): Leases {
  const { clock = systemClock, delay = timer, randomToken = () => crypto.randomUUID() } = options
  return {
    async acquire(name, { owner, ttlMs, reserve, signal }) {
      const claim = {
        name: checkName(name),
        owner: checkOwner(owner),
        ttlMs: checkTtl(ttlMs),
        reserve: checkReservation(reserve),
        token: randomToken(),
      }
      checkSignal(signal)
      const sentAtMs = clock.monotonicMs()
      const taken = await store.take(claim, { signal })
      if (!taken) return null
      const lease = new HeldLease({ store, clock, delay }, claim, taken, sentAtMs)
      if (lease.isHeld) return lease
      // The answer took longer than the lease lasts.
      await lease.release({ signal })
      return null
    },
    async read(name, call = {}) {
      return (await store.read([checkName(name)], call))[0] ?? null
    },
    async readMany(names, call = {}) {
      const records = await store.read(checkNames(names), call)
      const byName = new Map(records.map((record) => [record.name, record]))
      return names.map((name) => byName.get(name) ?? null)
    },
    readFolder: async (folder, call = {}) => store.readFolder(checkFolder(folder), call),
  }
}
