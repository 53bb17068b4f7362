import {
  type Executor,
  IdAllocator,
  lazyCatalog,
  ShardCodec,
  type ShardFailure,
  ShardingSettings,
} from '@shard/core'
import { Placer } from '@shard/placer'
import { workerLeases } from '@shard/registry'
import { engineOf } from './engines/engines.ts'
import type { Fleet } from './fleet.ts'
import { leaveOut } from './leave-out.ts'
import { type GlobalDatabase, openGlobal } from './open-global.ts'
import { openShard, openWhole } from './open-shard.ts'
import { isUnreachable, Outages, reachableOf } from './outages.ts'
import { type ProcessLock, partLock } from './process-lock.ts'
import { FAMILY } from './schema.ts'
import type { Target } from './target.ts'

/** Where the databases are and how large a shard may grow; null keeps what is on record. */
export interface FleetOptions {
  readonly global: Target
  /** By number; null: everything is in the global database. */
  readonly shards: readonly Target[] | null
  readonly shardBytes: bigint | null
  /** Is this one of several processes whose parent holds the fleet for all? */
  readonly isPart?: boolean
}

/** How long the worker number of a process that was killed stays taken. */
const LEASE_MS = 10_000

/**
 * Opens the databases of a fleet, making what is missing: a run that died on the way is finished by the next.
 * A shard enters the registry last, so what is on record is complete; a registered shard whose database is
 * gone, or is another's, is refused and not made anew. One that cannot be reached is left out.
 * @throws Refusal if the databases cannot be used or another process is at work on them
 */
export async function openFleet(options: FleetOptions): Promise<Fleet> {
  const ends: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end().catch(() => {})
  }
  try {
    const lock = options.isPart ? partLock : await engineOf(options.global).lock(options.global)
    ends.push(() => lock.release())
    const database = await openGlobal(options)
    ends.push(() => database.global.close())
    const executor = await openShards(options, database)
    ends.push(() => executor.close())
    const workers = workerLeases(database.global, { family: FAMILY })
    const worker = await workers.acquire({ owner: `demo ${process.pid}`, ttlMs: LEASE_MS })
    ends.push(() => worker.close())
    const allocator = new IdAllocator({ worker })
    const fleet = assemble(options, database, { executor, allocator, lock, close })
    await tryShards(fleet)
    return fleet
  } catch (error) {
    await close()
    throw error
  }
}

const settings = ShardingSettings.encoded(FAMILY, ShardCodec.default)

/** The executor of the app: one over all databases, or simply the one database. */
async function openShards(options: FleetOptions, database: GlobalDatabase): Promise<Executor> {
  const { shards } = options
  const { global } = database
  if (shards === null) {
    await openWhole(options, database)
    return global
  }
  const catalog = lazyCatalog({
    global,
    shardIds: shards.map((_, id) => id),
    open: (id) => openShard(id, shards[id] as Target, options, database),
  })
  return settings.executor(catalog)
}

/** What was opened for a fleet. */
interface Opened {
  readonly executor: Executor
  readonly allocator: IdAllocator
  readonly lock: ProcessLock
  readonly close: () => Promise<void>
}

function assemble(
  options: FleetOptions,
  { registry }: GlobalDatabase,
  { executor, allocator, lock, close }: Opened,
): Fleet {
  let placer: Placer | null = null
  const outages = new Outages(() => {
    // What it has read of the registry is no longer so.
    placer = null
  })
  const reachable = reachableOf(registry, outages)
  return {
    settings,
    executor,
    registry,
    reachable,
    outages,
    allocator,
    get placer() {
      placer ??= new Placer({ registry: reachable, allocator, settings })
      return placer
    },
    directory: (on) => engineOf(options.global).directory(on, { namespace: 'email' }),
    addressOf: (shard) => (options.shards?.[shard] ?? options.global).shown,
    stillAlone: () => lock.check(),
    close,
  }
}

/** Opens each shard, so that what is wrong with one is known before the work begins. */
async function tryShards(fleet: Fleet): Promise<void> {
  const failures: ShardFailure[] = []
  for (const shard of fleet.executor.shardIds()) {
    try {
      await fleet.executor.execute({ sql: 'select 1 as one', parameters: [] }, { route: { shard } })
    } catch (error) {
      if (!isUnreachable(error)) throw error
      failures.push({ shard, error })
    }
  }
  await leaveOut(fleet, failures)
}
