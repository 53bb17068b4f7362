import { checkInteger } from './argument.ts'
import { asyncContext } from './async-context.ts'
import type { Catalog } from './catalog.ts'
import { type Clock, systemClock } from './clock.ts'
import { UnknownShardError } from './errors.ts'
import type { Executor } from './executor.ts'
import type { ShardId } from './id.ts'
import { type OpenedShard, ShardPool } from './lazy-catalog/pool.ts'
import { ShardHandle } from './lazy-catalog/shard-handle.ts'

/** How a fleet is opened piece by piece. */
export interface LazyCatalogOptions {
  /** Open all the time; its connections are its own and do not count. */
  readonly global: Executor
  /** Which shards there are; a function is asked anew each time, so that shards may be added. */
  readonly shardIds: readonly ShardId[] | (() => readonly ShardId[])
  /** Opens a shard and says how many connections it may use; check the database's identity here. */
  open(shard: ShardId): Promise<OpenedShard>
  /**
   * How many connections a shard takes at most. Without it a shard is taken to need as many as the most that
   * any has needed so far: one that needs more is found out when it is open, and closed until there is room, so
   * that the budget is passed for that moment. Say it where shards differ.
   */
  connectionsOf?(shard: ShardId): number
  /** Connections over all open shards (100). */
  readonly maxConnections?: number
  /** A shard that nothing has used for so long is closed (60,000). */
  readonly idleMs?: number
  /**
   * How long a call waits for its turn before it fails with `BUSY`, and closing for what is being opened
   * (30,000).
   */
  readonly waitTimeoutMs?: number
  readonly clock?: Clock
}

/**
 * A catalog that opens a shard when it is first used, and closes the one used longest ago when another needs
 * its connections. It starts at once, however many shards there are.
 *
 * Calls that find no free connection wait in turn, for `waitTimeoutMs` at most. Code inside a transaction on
 * one shard never waits for another shard's connection, where each could wait for the other for ever: it gets
 * `BUSY` (retryable) at once. A shard in memory is never closed before the catalog is.
 * @throws InvalidArgumentError for bad options
 */
export function lazyCatalog(options: LazyCatalogOptions): Catalog {
  const { global, shardIds, clock = systemClock } = options
  const pool = new ShardPool({
    open: (shard) => options.open(shard),
    connectionsOf: options.connectionsOf ? (shard) => options.connectionsOf?.(shard) ?? -1 : null,
    maxConnections: checkInteger('maxConnections', options.maxConnections ?? 100, 1, 1_000_000),
    idleMs: checkInteger('idleMs', options.idleMs ?? 60_000, 1, 2 ** 31 - 1),
    waitTimeoutMs: checkInteger('waitTimeoutMs', options.waitTimeoutMs ?? 30_000, 1, 2 ** 31 - 1),
    clock,
  })
  const context = { pool, holding: asyncContext<true>(), dialect: global.dialect }
  const known = knownShards(typeof shardIds === 'function' ? shardIds : () => shardIds)
  const handles = new Map<ShardId, ShardHandle>()
  return {
    global,
    shard(id) {
      if (!known().set.has(id))
        throw new UnknownShardError(checkInteger('a shard number', id, 0, 2 ** 24 - 1))
      const handle = handles.get(id) ?? new ShardHandle(id, context)
      handles.set(id, handle)
      return handle
    },
    shardIds: () => known().sorted,
    async close() {
      const ends = await Promise.allSettled([pool.close(), global.close()])
      const failed = ends.find((end) => end.status === 'rejected')
      if (failed) throw failed.reason
    },
  }
}

/** The shards as a sorted list and as a set, made anew only when the list is another one. */
function knownShards(
  list: () => readonly ShardId[],
): () => { sorted: readonly ShardId[]; set: ReadonlySet<ShardId> } {
  let source: readonly ShardId[] | null = null
  let made = { sorted: [] as readonly ShardId[], set: new Set<ShardId>() as ReadonlySet<ShardId> }
  return () => {
    const now = list()
    if (now === source) return made
    for (const id of now) checkInteger('a shard number', id, 0, 2 ** 24 - 1)
    source = now
    made = { sorted: [...now].sort((a, b) => a - b), set: new Set(now) }
    return made
  }
}
