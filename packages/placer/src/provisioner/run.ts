import { isShardError, type ShardId } from '@shard/core'
import type { ShardInput, ShardRecord } from '@shard/registry'
import { dropShard, isLeftOver, makeShard, retireShard, type Workshop } from './make-shard.ts'
import type { ProvisionAction } from './options.ts'
import { type PlanOptions, planProvision, wasNeverUsed } from './plan.ts'

/** After so many numbers that came to nothing, such as for names of others' databases, a run ends. */
const MAX_SPOILED = 10

/** What a run has done so far. */
export interface Log {
  readonly actions: ProvisionAction[]
  readonly failures: { readonly shard: ShardId; readonly error: unknown }[]
}

/** Retired shards of which it is known that nothing is to be dropped. */
export type Settled = Set<ShardId>

/** What a run would do. */
export async function plannedActions(
  shop: Workshop,
  options: PlanOptions,
  settled: Settled,
): Promise<readonly ProvisionAction[]> {
  const shards = await shop.registry.list({ signal: shop.signal })
  const plan = planProvision(shards, options)
  const drops = await leftOvers(shop, shards, settled)
  return [
    ...drops.map((shard) => actionOf('drop', shard)),
    ...plan.resume.map((shard) => actionOf('resume', shard)),
    ...plan.create.map((shard) => actionOf('create', shard)),
  ]
}

/** Drops what earlier runs left, and makes one shard after the other until nothing is missing, or something fails. */
export async function provision(
  shop: Workshop,
  options: PlanOptions,
  settled: Settled,
  log: Log,
): Promise<void> {
  const { registry, signal } = shop
  const shards = await registry.list({ signal })
  for (const shard of await leftOvers(shop, shards, settled))
    await attempt(shop, log, 'drop', shard, () => drop(shop, shard, settled))
  const { resume, create } = planProvision(shards, options)
  // What others take meanwhile is the next run's business: this one ends.
  let left = resume.length + create.length
  for (let spoiled = 0; left > 0 && spoiled < MAX_SPOILED; ) {
    const end = await makeNext(shop, options, log)
    if (end === 'made') left -= 1
    else if (end === 'spoiled') spoiled += 1
    else return
  }
}

/** What has come of a number. */
type End = 'made' | 'spoiled' | 'failed' | 'enough'

async function makeNext(shop: Workshop, options: PlanOptions, log: Log): Promise<End> {
  const { registry, signal } = shop
  const { resume, create } = planProvision(await registry.list({ signal }), options)
  const [input] = create
  const shard = resume[0] ?? (input && (await register(shop, input)))
  if (shard === undefined) return 'enough'
  if (shard === 'taken') return 'spoiled'
  const action = resume[0] ? 'resume' : 'create'
  const isMade = await attempt(shop, log, action, shard, () => makeShard(shop, shard))
  if (isMade !== null) return isMade ? 'made' : 'spoiled'
  if (!isShardError(log.failures.at(-1)?.error, 'WRONG_DATABASE')) return 'failed'
  const reason = `there is another database named ${shard.name}`
  await attempt(shop, log, 'retire', shard, () => retireShard(shop, shard, reason))
  return 'spoiled'
}

/** Retires each of the shards, if it still stands at `provisioning`, and drops its database. */
export async function retireAll(shop: Workshop, shards: readonly ShardRecord[], log: Log): Promise<void> {
  for (const shard of shards)
    await attempt(shop, log, 'retire', shard, () => retireShard(shop, shard, 'cleaned'))
}

export function actionOf(
  action: ProvisionAction['action'],
  { id, name }: Pick<ShardInput, 'id' | 'name'>,
): ProvisionAction {
  return { action, shard: id, name }
}

/** The answer of the work, which is logged if it was done; null if it failed, which is logged too. What ends the run is thrown. */
async function attempt(
  { signal, hookError }: Workshop,
  { actions, failures }: Log,
  action: ProvisionAction['action'],
  shard: ShardRecord,
  work: () => Promise<boolean>,
): Promise<boolean | null> {
  try {
    const isDone = await work()
    if (isDone) actions.push(actionOf(action, shard))
    return isDone
  } catch (error) {
    if (signal.aborted || hookError(error)) throw error
    failures.push({ shard: shard.id, error })
    return null
  }
}

async function register(shop: Workshop, input: ShardInput): Promise<ShardRecord | 'taken'> {
  try {
    const note = { by: 'provisioner', reason: 'to be a standby', signal: shop.signal }
    const shard = await shop.registry.register(input, note)
    await shop.done('registered', shard)
    return shard
  } catch (error) {
    // Somebody else has registered a shard by that number.
    if (isShardError(error, 'UNIQUE_VIOLATION')) return 'taken'
    throw error
  }
}

async function drop(shop: Workshop, shard: ShardRecord, settled: Settled): Promise<boolean> {
  const isDropped = await dropShard(shop, shard)
  // It is somebody else's, who happens to use that name.
  if (!isDropped) settled.add(shard.id)
  return isDropped
}

async function leftOvers(
  shop: Workshop,
  shards: readonly ShardRecord[],
  settled: Settled,
): Promise<readonly ShardRecord[]> {
  const found: ShardRecord[] = []
  for (const shard of shards) {
    if (shard.status !== 'retired' || settled.has(shard.id)) continue
    if (!wasNeverUsed(await shop.registry.history(shard.id, { signal: shop.signal }))) settled.add(shard.id)
    else if (await isLeftOver(shop, shard)) found.push(shard)
  }
  return found
}
