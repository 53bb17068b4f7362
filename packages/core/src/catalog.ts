import { checkInteger } from './argument.ts'
import { UnknownShardError } from './errors.ts'
import type { Executor } from './executor.ts'
import type { ShardId } from './id.ts'

/** The databases of a fleet: the global one and the shards, each behind its executor. */
export interface Catalog {
  readonly global: Executor
  /** False when a database that is open from the start cannot carry 64-bit integers. */
  readonly int64?: false
  /** @throws UnknownShardError if there is no such shard */
  shard(id: ShardId): Executor
  /** Ascending. */
  shardIds(): readonly ShardId[]
  /** Closes every database, also when one of them fails to close; then throws the first failure. */
  close(): Promise<void>
}

/**
 * A catalog of databases that are open already; their engines may differ. It owns them from then on.
 * @throws InvalidArgumentError for a shard number that is not whole or negative
 */
export function staticCatalog(databases: {
  global: Executor
  shards: ReadonlyMap<ShardId, Executor>
}): Catalog {
  const shards = new Map(databases.shards)
  const ids = [...shards.keys()].sort((a, b) => a - b)
  ids.forEach(checkShard)
  const isNarrow = [databases.global, ...shards.values()].some(({ int64 }) => int64 === false)
  return {
    global: databases.global,
    ...(isNarrow ? { int64: false as const } : {}),
    shard(id) {
      const executor = shards.get(id)
      if (executor === undefined) throw new UnknownShardError(checkShard(id))
      return executor
    },
    shardIds: () => ids,
    close: () => closeAll([...shards.values(), databases.global]),
  }
}

function checkShard(id: unknown): ShardId {
  return checkInteger('a shard number', id, 0, 2 ** 24 - 1)
}

/** Closes each once, in parallel; throws the first failure after all have ended. */
async function closeAll(executors: Iterable<Executor>): Promise<void> {
  const ends = await Promise.allSettled([...new Set(executors)].map(async (executor) => executor.close()))
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
}
