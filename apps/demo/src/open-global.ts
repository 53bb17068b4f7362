import { randomUUID } from 'node:crypto'
import { type Executor, layouts } from '@shard/core'
import { ensureControlTables, type ShardRegistry } from '@shard/registry'
import { dialectOf, identified, queryBuilder, run, writeIdentity } from '@shard/sql'
import { engineOf } from './engines/engines.ts'
import type { FleetOptions } from './open-fleet.ts'
import { Refusal } from './refusal.ts'
import { FAMILY, type GlobalTables, globalSchema } from './schema.ts'

/** The global database, ready for work. */
export interface GlobalDatabase {
  readonly global: Executor
  readonly registry: ShardRegistry
  /** The name that tells this fleet's databases from those of every other. */
  readonly cluster: string
}

/** In the registry, the `databaseId` of a shard that is the global database itself. */
export const WHOLE = 'global'

/**
 * Opens the global database and makes what is missing in it.
 * @throws Refusal if it belongs to a fleet of another shape than was named
 */
export async function openGlobal(options: FleetOptions): Promise<GlobalDatabase> {
  const engine = engineOf(options.global)
  const global = await engine.open(options.global, { create: true })
  try {
    await ensureControlTables(global, {
      schemas: [engine.directorySchema, globalSchema],
      layout: layouts.default,
    })
    const cluster = await clusterName(global)
    const identity = { cluster, family: FAMILY, shard: 'global' } as const
    await writeIdentity(global, identity)
    await identified(global, identity)
    const registry = engine.registry(global, { family: FAMILY })
    await checkShape(options, registry)
    return { global, registry, cluster }
  } catch (error) {
    await global.close()
    throw error
  }
}

/** Fewer shards than there are would lose accounts from sight; one database cannot become many, or many one. */
async function checkShape({ global, shards }: FleetOptions, registry: ShardRegistry): Promise<void> {
  const onRecord = await registry.list()
  if (onRecord.length === 0) return
  const isWhole = onRecord.some(({ databaseId }) => databaseId === WHOLE)
  if (isWhole && shards !== null)
    throw new Refusal(`${global.shown} holds everything itself: leave --shards out.`)
  const missing = onRecord.filter(({ id }) => id >= (shards?.length ?? 0))
  if (!isWhole && missing.length > 0) {
    const names = missing.map(({ id, name }) => `${id} (${name})`).join(', ')
    throw new Refusal(`The fleet of ${global.shown} has more shards: --shards lacks ${names}.`)
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
