import { type Clock, systemClock } from '@shard/core'
import { markAfter } from './held-lease.ts'
import type { LeaseRecord, Leases } from './lease.ts'
import type { LeaseStore } from './lease-store.ts'
import { type LeaseOptions, leasesOver } from './leases-over.ts'

interface Row {
  owner: string | null
  token: string | null
  epoch: bigint
  expiresAtMs: number
  markMs: number
}

/** Leases in the memory of one process, for tests; expiry is by the clock's `now`, or by that of a shared store. */
export function memoryLeases(options: LeaseOptions & { readonly store?: LeaseStore } = {}): Leases {
  return leasesOver(options.store ?? memoryLeaseStore(options.clock), options)
}

/** Stands for the table, for leases that are held with different clocks. */
export function memoryLeaseStore(clock: Clock = systemClock): LeaseStore {
  const table = new Map<string, Row>()
  const isHeld = ({ token, expiresAtMs }: Row): boolean => token !== null && expiresAtMs > clock.now()
  const recordsOf = (name: string, row: Row | undefined): LeaseRecord[] => {
    if (!row) return []
    const { owner, epoch, expiresAtMs, markMs } = row
    return [{ name, owner, epoch, isHeld: isHeld(row), expiresAtMs, markMs, readAtMs: clock.now() }]
  }
  return {
    async take({ name, owner, token, ttlMs, reserve }) {
      const row = table.get(name) ?? { owner, token: null, epoch: 0n, expiresAtMs: 0, markMs: 0 }
      if (isHeld(row)) return null
      const markMs = reserve ? markAfter(row.markMs, reserve) : row.markMs
      const taken = { owner, token, epoch: row.epoch + 1n, expiresAtMs: clock.now() + ttlMs, markMs }
      table.set(name, taken)
      return { epoch: taken.epoch, markMs }
    },
    async extend({ name, token, ttlMs, reserve }) {
      const row = table.get(name)
      if (!row || row.token !== token || !isHeld(row)) return false
      row.expiresAtMs = Math.max(row.expiresAtMs, clock.now() + ttlMs)
      if (reserve) row.markMs = markAfter(row.markMs, reserve)
      return true
    },
    async release(name, token) {
      const row = table.get(name)
      if (!row || row.token !== token) return false
      Object.assign(row, { owner: null, token: null })
      return true
    },
    read: async (names) => names.flatMap((name) => recordsOf(name, table.get(name))),
    async readFolder(folder) {
      const inside = [...table].filter(([name]) => name.startsWith(`${folder}/`)).sort()
      const records = inside.flatMap(([name, row]) => recordsOf(name, row))
      return { records, floorMarkMs: 0, readAtMs: clock.now() }
    },
  }
}
