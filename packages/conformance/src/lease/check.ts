import assert from 'node:assert/strict'
import type { AcquireOptions, Lease, LeaseRecord, Leases } from '@shard/sql'

/** One fresh database, or whatever keeps the leases. */
export interface LeaseHost {
  /** Leases on it; called more than once, they see each other's as processes do. */
  leases(): Leases
  /** Makes every lease that is held expire, by the clock that decides it. */
  expire(): Promise<void>
  close(): Promise<void>
}

/** Declares a test that gets leases of its own, on a fresh host. */
export type Check = (name: string, body: (leases: Leases, host: LeaseHost) => Promise<void>) => unknown

export const MINUTE = 60_000

/** How the tests ask, unless they care. */
export const ann: AcquireOptions = { owner: 'ann', ttlMs: MINUTE }
export const bob: AcquireOptions = { owner: 'bob', ttlMs: MINUTE }

/** Acquires a lease that must be free. */
export async function need(leases: Leases, name: string, options: AcquireOptions = ann): Promise<Lease> {
  return (await leases.acquire(name, options)) ?? assert.fail(`${name} is held`)
}

export async function needRecord(leases: Leases, name: string): Promise<LeaseRecord> {
  return (await leases.read(name)) ?? assert.fail(`${name} has no record`)
}

export function rejects(call: Promise<unknown>, code: string): Promise<void> {
  return assert.rejects(call, { code })
}
