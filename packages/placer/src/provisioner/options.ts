import type { Clock, Delay, Executor, ShardCodec, ShardId } from '@shard/core'
import type { Capacity, ShardRecord, ShardRegistry } from '@shard/registry'
import type { Leases } from '@shard/sql'
import type { ShardDatabases } from '../shard-databases.ts'

/** What a provisioner is made of. */
export interface ProvisionerOptions {
  readonly registry: ShardRegistry
  /** Of the global database: `leases(executor)`. One provisioner of a family is at work at a time. */
  readonly leases: Leases
  readonly provision: Provision
  /** How many standbys there are to be, 0 to 1,000. */
  readonly keepStandbys: number
  /** What a new shard is registered with, beside its number and status; its name is `shardDatabaseName` unless given. */
  readonly describe?: ((shard: ShardId) => NewShard) | undefined
  /** The number of the first shard of a new family (1); each further one is 1 above the highest that there ever was. */
  readonly firstShard?: ShardId | undefined
  /** Bounds the numbers (`ShardCodec.default`). */
  readonly codec?: Pick<ShardCodec, 'maxShard'> | undefined
  /** How long a provisioner that died keeps others from working; a live one goes on holding the lease (30,000). */
  readonly leaseTtlMs?: number | undefined
  /** Who is at work, for people to read. */
  readonly owner?: string | undefined
  /** Called after each step; what it throws ends the run where it is, and the next run goes on from there. */
  readonly onStep?: ((step: ProvisionStep) => unknown) | undefined
  /** Tells how old a row is that `clean` looks at. */
  readonly clock?: Pick<Clock, 'now'> | undefined
  /** Waits (a timer). */
  readonly delay?: Delay | undefined
}

/** How the database of a shard comes to be. */
export interface Provision {
  /** Where; a function when it depends on the shard, such as on its `databaseId`. */
  readonly databases: ShardDatabases | ((shard: ShardRecord) => ShardDatabases)
  /** The cluster's name in the identity row of each database; see `Identity`. */
  readonly cluster: string
  /**
   * Makes the app's tables, such as by `applySchema` or a migrator. It runs again if a run was cut short, and two may
   * run at once after a process was paused for longer than its lease: make it repeatable. If it gives a bigint, this is
   * written down as the shard's `schemaVersion`.
   */
  schema(executor: Executor, shard: ShardRecord, call: { signal: AbortSignal }): Promise<unknown>
}

/** What a new shard is registered with. */
export interface NewShard extends Capacity {
  readonly name?: string | undefined
  readonly databaseId?: string | null | undefined
  readonly region?: string | null | undefined
  readonly schemaVersion?: bigint | undefined
}

/** A step that was done: a way from `registered` to `standby`, or from `retired` to `dropped`. */
export interface ProvisionStep {
  readonly step: 'registered' | 'created' | 'identified' | 'prepared' | 'standby' | 'retired' | 'dropped'
  readonly shard: ShardId
  readonly name: string
}

/** Something that a run does, or would do. */
export interface ProvisionAction {
  readonly action: 'resume' | 'create' | 'retire' | 'drop'
  readonly shard: ShardId
  readonly name: string
}

/** How a run ended. */
export interface ProvisionReport {
  /** `busy`: another provisioner of the family is at work. `lost`: another took over, as this one was too slow. */
  readonly state: 'done' | 'failed' | 'busy' | 'lost'
  /** What was done; with `dryRun`, what would be. */
  readonly actions: readonly ProvisionAction[]
  /** What went wrong; the shard stays as it is for the next run. */
  readonly failures: readonly { readonly shard: ShardId; readonly error: unknown }[]
}

/** How a run is made. */
export interface ProvisionCall {
  /** Only says what would be done. */
  readonly dryRun?: boolean | undefined
  readonly signal?: AbortSignal | undefined
}
