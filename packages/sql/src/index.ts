export { type BumpOptions, bumpLeases } from './bump-leases.ts'
export type { DdlDialect, SqlDialect } from './dialect.ts'
export { dialectOf } from './dialects.ts'
export { fencedExecutor } from './fenced-executor.ts'
export type {
  AcquireOptions,
  ExtendOptions,
  Lease,
  LeaseCall,
  LeaseFolder,
  LeaseRecord,
  Leases,
  Reservation,
} from './lease.ts'
export type { LeaseClaim, LeaseStore, TakenLease } from './lease-store.ts'
export { leaseSchema, leases } from './leases.ts'
export type { LeaseOptions } from './leases-over.ts'
export { memoryLeaseStore, memoryLeases } from './memory-leases.ts'
export { queryBuilder, run } from './query-builder.ts'
export { type RetryOptions, retryRefused } from './retry-refused.ts'
export { schemaDdl } from './schema-ddl.ts'
export { applySchema, type SchemaLadder } from './schema-ladder.ts'
export { type FenceState, type Fencing, type Grant, type ShardFence, shardFence } from './shard-fence.ts'
export { type Identity, identified, writeIdentity } from './shard-meta.ts'
export { textOf } from './text-of.ts'
