export { ensureControlTables } from './control-tables.ts'
export { memoryRegistry } from './memory.ts'
export type { Capacity, ChangeNote, RegistryCall, ShardInput, ShardRegistry } from './registry.ts'
export {
  acceptsAdmission,
  fillRatio,
  isAdmissible,
  isFull,
  isReadable,
  isWritable,
  legalTransitions,
  liveShards,
  type ShardChange,
  type ShardRecord,
  type ShardStatus,
  statuses,
  type UnknownStatus,
} from './shard.ts'
export {
  type RefreshSizesOptions,
  refreshSizes,
  type ShardSize,
  type SizeProgress,
  type SizeReport,
} from './sizes.ts'
