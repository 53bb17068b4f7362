import type { LeaseCall, LeaseFolder, LeaseRecord, Reservation } from './lease.ts'

/** An attempt to take a lease. */
export interface LeaseClaim {
  readonly name: string
  readonly owner: string
  readonly token: string
  readonly ttlMs: number
  readonly reserve: Reservation | undefined
}

/** A lease that was taken. */
export interface TakenLease {
  readonly epoch: bigint
  readonly markMs: number
}

/** Where leases are kept; each change is one compare-and-set. */
export interface LeaseStore {
  /** Null if somebody holds it. */
  take(claim: LeaseClaim, call: LeaseCall): Promise<TakenLease | null>
  /** False if the lease has expired or has another token. */
  extend(claim: LeaseClaim, call: LeaseCall): Promise<boolean>
  /** False if the lease has another token. */
  release(name: string, token: string, call: LeaseCall): Promise<boolean>
  /** In any order, without those that were never taken. */
  read(names: readonly string[], call: LeaseCall): Promise<readonly LeaseRecord[]>
  readFolder(folder: string, call: LeaseCall): Promise<LeaseFolder>
}
