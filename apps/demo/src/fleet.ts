import type { Executor, IdAllocator, ShardId, ShardingSettings } from '@shard/core'
import type { Directory } from '@shard/directory'
import type { Placer } from '@shard/placer'
import type { ShardRegistry } from '@shard/registry'
import type { Outages } from './outages.ts'

/** The open databases and what works on them; everything else in the app sees only this. */
export interface Fleet {
  readonly settings: ShardingSettings
  /** The global database and the shards, each by its route; unsharded, one database for all routes. */
  readonly executor: Executor
  /** Of all shards. */
  readonly registry: ShardRegistry
  /** Of the shards that can be reached. */
  readonly reachable: ShardRegistry
  readonly outages: Outages
  readonly allocator: IdAllocator
  /** Over the shards that can be reached; another one after each outage. */
  readonly placer: Placer
  /** Of e-mail addresses; on `executor`, or inside a transaction on the global database. */
  directory(on: Executor): Directory
  /** The address of a shard's database, for people to read. */
  addressOf(shard: ShardId): string
  /** Rejects if another process may be at work on the fleet. */
  stillAlone(): Promise<void>
  /** Closes the databases and lets another process in. */
  close(): Promise<void>
}
