import { type Clock, systemClock } from '@shard/core'
import { markAfter } from './held-lease.ts'
import type { Leases } from './lease.ts'
import type { LeaseStore } from './lease-store.ts'
import { type LeaseOptions, leasesOver } from './leases-over.ts'

interface Row {
  owner: string | null
  token: string | null
  epoch: bigint
  expiresAtMs: number
  markMs: number
}

/** Leases in the memory of one process, for tests; expiry is by the clock's `now`. */
export function memoryLeases(options: LeaseOptions = {}): Leases {
  return leasesOver(memoryLeaseStore(options.clock ?? systemClock), options)
}

function memoryLeaseStore(clock: Clock): LeaseStore {
  const table = new Map<string, Row>()
  const isHeld = ({ token, expiresAtMs }: Row): boolean => token !== null && expiresAtMs > clock.now()
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
    async read(names) {
      return names.flatMap((name) => {
        const row = table.get(name)
        if (!row) return []
        const { owner, epoch, expiresAtMs, markMs } = row
        return [{ name, owner, epoch, isHeld: isHeld(row), expiresAtMs, markMs, readAtMs: clock.now() }]
      })
    },
  }
}
