import type { ShardFailure, ShardId } from '@shard/core'
import { isAdmissible, isFull } from '@shard/registry'
import type { Fleet } from './fleet.ts'
import { isUnreachable } from './outages.ts'

/** Runs `work`, which needs a shard; null if the shard cannot be reached, which leaves it out from then on. */
export async function reaching<T>(fleet: Fleet, shard: ShardId, work: () => Promise<T>): Promise<T | null> {
  if (fleet.outages.has(shard)) return null
  try {
    return await work()
  } catch (error) {
    if (!isUnreachable(error)) throw error
    await leaveOut(fleet, [{ shard, error }])
    return null
  }
}

/** Goes on without the shards whose answer says that they cannot be reached: what lives there waits for them. */
export async function leaveOut(
  fleet: Pick<Fleet, 'registry' | 'outages'>,
  answers: readonly ShardFailure[],
): Promise<void> {
  const failures = answers.filter(({ error }) => isUnreachable(error))
  for (const { shard, error } of failures) fleet.outages.add(shard, error)
  if (failures.length > 0) await admitElsewhere(fleet)
}

/**
 * Lets new accounts go elsewhere while no shard that takes them can be reached: the first standby that can is made
 * active beside it. That makes no second account of an address: the directory says which have one, and it is in
 * the global database. The other shard stays active: a shard is sealed by its size, which cannot be measured.
 */
async function admitElsewhere({ registry, outages }: Pick<Fleet, 'registry' | 'outages'>): Promise<void> {
  const shards = await registry.list()
  const isReachable = ({ id }: { id: ShardId }): boolean => !outages.has(id)
  const active = shards.filter(isAdmissible)
  if (active.length === 0 || active.some(isReachable)) return
  const standby = shards.find((shard) => shard.status === 'standby' && isReachable(shard) && !isFull(shard))
  if (!standby) return
  const reason = `cannot be reached: shard ${active.map(({ id }) => id).join(', ')}`
  const expectedVersion = standby.version
  await registry.transition(standby.id, 'standby', 'active', { by: 'demo', reason, expectedVersion })
}
