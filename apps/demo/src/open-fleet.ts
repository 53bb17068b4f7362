import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import {
  type Executor,
  IdAllocator,
  ShardCodec,
  type ShardId,
  ShardingSettings,
  shardDatabaseName,
  staticCatalog,
} from '@shard/core'
import { sqliteExecutor } from '@shard/core/sqlite'
import { schema as directorySchema, sqliteDirectory } from '@shard/directory/sqlite'
import { Placer } from '@shard/placer'
import { ensureControlTables, type ShardRegistry } from '@shard/registry'
import { sqliteRegistry } from '@shard/registry/sqlite'
import { applySchema, dialectOf, identified, queryBuilder, run, writeIdentity } from '@shard/sql'
import Database from 'better-sqlite3'
import { prepareDirectory } from './data-directory.ts'
import type { Fleet } from './fleet.ts'
import { lockDirectory } from './process-lock.ts'
import { Refusal } from './refusal.ts'
import { type GlobalTables, globalSchema, shardSchema } from './schema.ts'

const FAMILY = 'accounts'
const SHARDS: readonly ShardId[] = [0, 1, 2]
const DEFAULT_SHARD_BYTES = 1_500_000n

/** Where the databases are and how large a shard may grow; null keeps what is on record. */
export interface FleetOptions {
  readonly dataDirectory: string
  readonly shardBytes: bigint | null
}

/**
 * Opens the databases of a data directory, making what is missing: a run that died on the way is
 * finished by the next. A shard enters the registry last, so what is on record is complete; a
 * registered shard whose file is gone, or is another's, is refused and not made anew.
 * @throws Refusal if the directory cannot be used or another process is at work in it
 */
export async function openFleet(options: FleetOptions): Promise<Fleet> {
  prepareDirectory(options.dataDirectory)
  const lock = lockDirectory(options.dataDirectory)
  const opened: Executor[] = []
  const open: Open = (name, existing) => {
    const executor = openDatabase(join(options.dataDirectory, `${name}.db`), existing)
    opened.push(executor)
    return executor
  }
  const close = async (): Promise<void> => {
    await Promise.allSettled(opened.map((executor) => executor.close()))
    lock.release()
  }
  try {
    return { ...(await assemble(open, options.shardBytes)), close }
  } catch (error) {
    await close()
    throw error
  }
}

type Open = (name: string, existing: boolean) => Executor

async function assemble(open: Open, shardBytes: bigint | null): Promise<Omit<Fleet, 'close'>> {
  const global = open('global', false)
  await ensureControlTables(global, { schemas: [directorySchema, globalSchema] })
  const cluster = await clusterName(global)
  await writeIdentity(global, { cluster, family: FAMILY, shard: 'global' })
  const registry = sqliteRegistry(global, { family: FAMILY })
  const shards = new Map<ShardId, Executor>()
  for (const id of SHARDS) shards.set(id, await openShard(open, registry, cluster, id, shardBytes))

  const settings = ShardingSettings.encoded(FAMILY, ShardCodec.default)
  const executor = settings.executor(staticCatalog({ global, shards }))
  // One process at a time; the last one may have ended a moment ago.
  const allocator = new IdAllocator({ startAfterAhead: true })
  return {
    settings,
    executor,
    registry,
    allocator,
    placer: new Placer({ registry, allocator, settings }),
    directory: (on) => sqliteDirectory(on, { namespace: 'email' }),
  }
}

async function openShard(
  open: Open,
  registry: ShardRegistry,
  cluster: string,
  id: ShardId,
  shardBytes: bigint | null,
): Promise<Executor> {
  const name = shardDatabaseName(FAMILY, id)
  const identity = { cluster, family: FAMILY, shard: id }
  const onRecord = await registry.get(id)
  const shard = open(name, onRecord !== null)
  if (onRecord === null) await writeIdentity(shard, identity)
  else await identified(shard, identity)
  await applySchema(shard, shardSchema)
  if (onRecord === null) {
    const status = id === SHARDS[0] ? 'active' : 'standby'
    await registry.register({ id, name, status, maxBytes: shardBytes ?? DEFAULT_SHARD_BYTES })
  } else if (shardBytes !== null && shardBytes !== onRecord.maxBytes) {
    await registry.setCapacity(id, { maxBytes: shardBytes }, { by: 'demo', reason: '--shard-size' })
  }
  return shard
}

function openDatabase(path: string, fileMustExist: boolean): Executor {
  try {
    return sqliteExecutor(new Database(path, { fileMustExist }))
  } catch (error) {
    throw new Refusal(`The database ${path} cannot be opened: ${(error as Error).message}.`, 1)
  }
}

/** The name of this cluster, made up when the global database is new. */
async function clusterName(global: Executor): Promise<string> {
  const db = queryBuilder<GlobalTables>(dialectOf(global))
  return global.transaction(async (tx) => {
    const found = (await run(tx, db.selectFrom('demo_cluster').select('name'))).rows[0]
    if (found) return found.name
    const name = randomUUID()
    await run(tx, db.insertInto('demo_cluster').values({ id: 1, name }))
    return name
  })
}
