import type { Executor, IdAllocator, ShardingSettings } from '@shard/core'
import type { Directory } from '@shard/directory'
import type { Placer } from '@shard/placer'
import type { ShardRegistry } from '@shard/registry'

/** The open databases and what works on them; everything else in the app sees only this. */
export interface Fleet {
  readonly settings: ShardingSettings
  /** The global database and the shards, each by its route. */
  readonly executor: Executor
  readonly registry: ShardRegistry
  readonly allocator: IdAllocator
  readonly placer: Placer
  /** Of e-mail addresses; on `executor`, or inside a transaction on the global database. */
  directory(on: Executor): Directory
  /** Closes the databases and frees the data directory. */
  close(): Promise<void>
}
