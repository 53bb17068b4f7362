import type { OpenedShard, ShardId } from '@shard/core'
import type { ShardInput, ShardRecord, ShardRegistry } from '@shard/registry'
import { applySchema, identified, writeIdentity } from '@shard/sql'
import { engineOf } from './engines/engines.ts'
import type { FleetOptions } from './open-fleet.ts'
import { type GlobalDatabase, WHOLE } from './open-global.ts'
import { FAMILY } from './schema.ts'
import type { Target } from './target.ts'

/** Opens a shard; one that is not on record is made, and then put on record: the first is active, others stand by. */
export async function openShard(
  id: ShardId,
  target: Target,
  { shardBytes }: FleetOptions,
  { registry, cluster }: GlobalDatabase,
): Promise<OpenedShard> {
  const engine = engineOf(target)
  const onRecord = await registry.get(id)
  const executor = await engine.open(target, { create: onRecord === null })
  try {
    const identity = { cluster, family: FAMILY, shard: id }
    if (onRecord === null) await writeIdentity(executor, identity)
    await identified(executor, identity)
    await applySchema(executor, engine.shardSchema)
    const isFirst = onRecord === null && (await registry.list()).length === 0
    const status = isFirst ? 'active' : 'standby'
    const input = { id, name: target.name, status, maxBytes: engine.shardBytes } as const
    await putOnRecord(registry, onRecord, input, shardBytes)
    return { executor, connections: engine.connections }
  } catch (error) {
    await executor.close().catch(() => {})
    throw error
  }
}

/** Makes the global database the one shard of an unsharded fleet, with no limit unless one is given. */
export async function openWhole(
  { global: target, shardBytes }: FleetOptions,
  { global, registry }: GlobalDatabase,
): Promise<void> {
  await applySchema(global, engineOf(target).shardSchema)
  const input = { id: 0, name: target.name, databaseId: WHOLE, status: 'active', maxBytes: null } as const
  await putOnRecord(registry, await registry.get(0), input, shardBytes)
}

async function putOnRecord(
  registry: ShardRegistry,
  onRecord: ShardRecord | null,
  input: ShardInput,
  shardBytes: bigint | null,
): Promise<void> {
  if (onRecord === null)
    await registry.register(shardBytes === null ? input : { ...input, maxBytes: shardBytes })
  else if (shardBytes !== null && shardBytes !== onRecord.maxBytes)
    await registry.setCapacity(input.id, { maxBytes: shardBytes }, { by: 'demo', reason: '--shard-size' })
}
