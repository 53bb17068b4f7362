import type { Executor } from '@shard/core'
import type { Directory, DirectoryOptions } from '@shard/directory'
import type { ShardRegistry } from '@shard/registry'
import type { SchemaLadder } from '@shard/sql'
import type { ProcessLock } from '../process-lock.ts'
import type { Target } from '../target.ts'

/** All that the app asks of an engine. Shared code reads a field and never the name. */
export interface Engine {
  /**
   * Opens a database; with `create`, makes it if it is not there.
   * @throws Refusal if it is not there, or refuses us
   * @throws ShardError if it cannot be reached
   */
  open(target: Target, options: { readonly create: boolean }): Promise<Executor>
  /** Takes the fleet of a global database for this process, and makes the database if it is not there. */
  lock(target: Target): Promise<ProcessLock>
  /** Connections that one open database may use; 0 if they cost nothing. */
  readonly connections: number
  /** How large a shard may grow unless `--shard-size` says so. */
  readonly shardBytes: bigint
  /** The tables of the app on each shard. */
  readonly shardSchema: SchemaLadder
  readonly directorySchema: SchemaLadder
  directory(on: Executor, options: DirectoryOptions): Directory
  registry(on: Executor, options: { readonly family: string }): ShardRegistry
}
