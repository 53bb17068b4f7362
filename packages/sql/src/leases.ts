import type { Executor } from '@shard/core'
import { dialectOf } from './dialects.ts'
import type { Leases } from './lease.ts'
import { leaseSchemaOf } from './lease-table.ts'
import { type LeaseOptions, leasesOver } from './leases-over.ts'
import type { SchemaLadder } from './schema-ladder.ts'
import { sqlLeaseStore } from './sql-lease-store.ts'

/**
 * The leases of a database, in its table `shard_leases`, which is made at the first use if `leaseSchema` was
 * not applied before. Use it outside of transactions: a lease must be committed to be held.
 */
export function leases(executor: Executor, options: LeaseOptions = {}): Leases {
  return leasesOver(sqlLeaseStore(executor), options)
}

/** The ladder of `shard_leases`, for set-up code with more rights than the processes that take leases. */
export function leaseSchema(executor: Pick<Executor, 'dialect'>): SchemaLadder {
  return leaseSchemaOf(dialectOf(executor))
}
