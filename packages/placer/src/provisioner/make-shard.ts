import { type Executor, isShardError, WrongDatabaseError } from '@shard/core'
import type { ShardRecord, ShardRegistry } from '@shard/registry'
import { type Identity, identified, writeIdentity } from '@shard/sql'
import type { ShardDatabases } from '../shard-databases.ts'
import type { Provision, ProvisionStep } from './options.ts'

/** What making and dropping a shard's database needs. */
export interface Workshop {
  readonly registry: ShardRegistry
  readonly provision: Provision
  readonly signal: AbortSignal
  /** Says that a step was done; what it throws ends the run. */
  done(step: ProvisionStep['step'], shard: ShardRecord): Promise<void>
  /** Is it what `done` has thrown? */
  hookError(error: unknown): boolean
}

const BY = 'provisioner'

/**
 * Brings a row that stands at `provisioning` to `standby`: database, identity, tables, status. Each step finds out
 * whether it was done before, so that a run which died anywhere is finished by the next. If the row was retired
 * meanwhile, what was made is dropped again, and the answer is false.
 * @throws WrongDatabaseError if there is a database of that name which is not this shard's
 */
export async function makeShard(shop: Workshop, shard: ShardRecord): Promise<boolean> {
  const { registry, signal } = shop
  await databasesOf(shop, shard).create(shard.name, { signal })
  await shop.done('created', shard)
  const schemaVersion = await prepare(shop, shard)
  if (schemaVersion !== undefined && schemaVersion !== shard.schemaVersion)
    await registry.setSchemaVersion(shard.id, schemaVersion, { by: BY, signal })
  signal.throwIfAborted()
  const isReady = await registry.transition(shard.id, 'provisioning', 'standby', {
    by: BY,
    reason: 'ready',
    signal,
  })
  if (isReady) await shop.done('standby', shard)
  if (isReady) return true
  // Another has brought it there, or has retired it: then this is dropped again, as nobody else may know of it.
  const now = await registry.get(shard.id, { signal })
  if (now?.status !== 'retired') return true
  await dropShard(shop, now)
  return false
}

async function prepare(shop: Workshop, shard: ShardRecord): Promise<bigint | undefined> {
  const databases = databasesOf(shop, shard)
  return opened(databases, shard, async (executor) => {
    if (!(await isOwn(shop, shard, executor)))
      throw new WrongDatabaseError(
        `shard ${shard.id} of ${shard.family}`,
        `another database named ${shard.name}`,
      )
    await shop.done('identified', shard)
    const version = await shop.provision.schema(executor, shard, { signal: shop.signal })
    await shop.done('prepared', shard)
    return typeof version === 'bigint' ? version : undefined
  })
}

/**
 * Retires a row that stands at `provisioning`, which nothing can follow, and then drops its database.
 * False if it no longer stands there: then nothing is changed.
 */
export async function retireShard(shop: Workshop, shard: ShardRecord, reason: string): Promise<boolean> {
  const { registry, signal } = shop
  const note = { by: BY, reason, signal }
  if (!(await registry.transition(shard.id, 'provisioning', 'retired', note))) return false
  await shop.done('retired', shard)
  await dropShard(shop, shard)
  return true
}

/** Drops the database of a shard that was retired and never used, if it is there and is this shard's. */
export async function dropShard(shop: Workshop, shard: ShardRecord): Promise<boolean> {
  const { signal } = shop
  const databases = databasesOf(shop, shard)
  if (!(await databases.exists(shard.name, { signal }))) return false
  if (!(await opened(databases, shard, (executor) => isOwn(shop, shard, executor)))) return false
  signal.throwIfAborted()
  await databases.drop(shard.name, { signal })
  await shop.done('dropped', shard)
  return true
}

/** Has it a database of its own that is still to be dropped? */
export async function isLeftOver(shop: Workshop, shard: ShardRecord): Promise<boolean> {
  return databasesOf(shop, shard).exists(shard.name, { signal: shop.signal })
}

/**
 * Is the database this shard's? A blank one is made so: the name is this shard's by the registry, which never gives
 * a number twice. One with tables and no identity, or with another's, is somebody else's.
 */
async function isOwn(shop: Workshop, shard: ShardRecord, executor: Executor): Promise<boolean> {
  const { provision, signal } = shop
  const identity: Identity = { cluster: provision.cluster, family: shard.family, shard: shard.id }
  try {
    const isBlank = await databasesOf(shop, shard).isBlank(executor, { signal })
    if (isBlank) await writeIdentity(executor, identity)
    await identified(executor, identity)
    return true
  } catch (error) {
    if (isShardError(error, 'WRONG_DATABASE')) return false
    throw error
  }
}

async function opened<T>(
  databases: ShardDatabases,
  { name }: ShardRecord,
  work: (executor: Executor) => Promise<T>,
): Promise<T> {
  const executor = await databases.open(name)
  try {
    return await work(executor)
  } finally {
    await executor.close()
  }
}

function databasesOf({ provision }: Workshop, shard: ShardRecord): ShardDatabases {
  const { databases } = provision
  return typeof databases === 'function' ? databases(shard) : databases
}
