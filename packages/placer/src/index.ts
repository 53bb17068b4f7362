export { Placer } from './placer.ts'
export type {
  IdSource,
  Placement,
  PlaceOptions,
  PlacerOptions,
  Shortage,
  Swap,
} from './placer-options.ts'
export {
  type Candidate,
  fillFirst,
  leastFilled,
  type PlacementRequest,
  type Policy,
  regionAffine,
  weighted,
} from './policy.ts'
export type {
  NewShard,
  Provision,
  ProvisionAction,
  ProvisionCall,
  ProvisionerOptions,
  ProvisionReport,
  ProvisionStep,
} from './provisioner/options.ts'
export { Provisioner } from './provisioner.ts'
export { checkDatabaseName, type DatabasesCall, type ShardDatabases } from './shard-databases.ts'
