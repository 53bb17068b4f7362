export { type ControlTablesOptions, controlTablesDdl, ensureControlTables } from './control-tables.ts'
export type { LayoutRecord } from './layout-record.ts'
export { memoryRegistry } from './memory.ts'
export { type MemoryControl, memoryControl, memoryWorkerLeases } from './memory-worker-leases.ts'
export type {
  Capacity,
  ChangeNote,
  Measurement,
  RegistryCall,
  ShardInput,
  ShardRegistry,
} from './registry.ts'
export {
  acceptsAdmission,
  fillRatio,
  isAdmissible,
  isFull,
  isKnownStatus,
  isReadable,
  isWritable,
  legalTransitions,
  liveShards,
  type ShardChange,
  type ShardRecord,
  type ShardStatus,
  statuses,
  type UnknownStatus,
  unknownStatuses,
} from './shard.ts'
export {
  type RefreshSizesOptions,
  refreshSizes,
  type ShardSize,
  type SizeProgress,
  type SizeReport,
} from './sizes.ts'
export {
  type AcquireWorkerOptions,
  type WorkerLeases,
  type WorkerLeasesOptions,
  workerLeases,
} from './worker-leases.ts'
