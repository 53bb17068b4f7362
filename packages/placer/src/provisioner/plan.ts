import { InvalidArgumentError, type ShardId, shardDatabaseName } from '@shard/core'
import type { ShardChange, ShardInput, ShardRecord } from '@shard/registry'
import { checkDatabaseName } from '../shard-databases.ts'
import type { NewShard } from './options.ts'

/** What a plan is made by. */
export interface PlanOptions {
  readonly family: string
  readonly keepStandbys: number
  readonly firstShard: ShardId
  readonly maxShard: ShardId
  describe(shard: ShardId): NewShard
}

/** What has to be done until there are enough standbys. */
export interface ProvisionPlan {
  /** Rows of runs that were cut short, the oldest first. */
  readonly resume: readonly ShardRecord[]
  /** Shards to be registered, when those are ready. */
  readonly create: readonly ShardInput[]
}

/**
 * Rows that stand at `provisioning` are finished before others are begun, and all of them are, also beyond what is
 * wanted. A new number is above every number that was ever used: rows are never deleted.
 * @throws InvalidArgumentError if the codec has no number left, or the app's description is bad
 */
export function planProvision(shards: readonly ShardRecord[], options: PlanOptions): ProvisionPlan {
  const { keepStandbys, firstShard } = options
  const resume = shards.filter(({ status }) => status === 'provisioning')
  const standbys = shards.filter(({ status }) => status === 'standby').length
  const highest = shards.reduce((max, { id }) => Math.max(max, id), firstShard - 1)
  const missing = Math.max(0, keepStandbys - standbys - resume.length)
  const create = Array.from({ length: missing }, (_, i) => newShard(highest + 1 + i, options))
  return { resume, create }
}

function newShard(id: ShardId, { family, maxShard, describe }: PlanOptions): ShardInput {
  if (id > maxShard) throw new InvalidArgumentError(`no shard number is left: ${id} is above ${maxShard}`)
  const { name = shardDatabaseName(family, id), ...rest } = describe(id)
  return { ...rest, id, name: checkDatabaseName(name), status: 'provisioning' }
}

/** Was the shard never anything but being provisioned, so that nobody can have stored anything on it? */
export function wasNeverUsed(history: readonly ShardChange[]): boolean {
  const [first] = history
  const isMade = first?.from === null && first.to === 'provisioning'
  return isMade && history.every(({ to }) => to === 'provisioning' || to === 'retired')
}
