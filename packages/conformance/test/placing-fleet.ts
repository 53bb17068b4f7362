import type { Executor, ShardId } from '@shard/core'
import { registryOn } from './registry-hosts.ts'

/** Keys after which a shard is full, each of one byte; an operator sets it to the one or the other. */
export const ROOM = [30n, 45n] as const

/** Makes the table in which the keys of all shards are kept, so that a shard's size is a count. */
export async function prepareFleet(executor: Executor, standbys: number): Promise<void> {
  const sql = 'create table placed (id bigint not null primary key, shard integer not null)'
  await executor.execute({ sql, parameters: [] })
  for (let id = 1; id <= standbys; id++) await addStandby(executor, id)
}

export async function addStandby(executor: Executor, id: ShardId): Promise<void> {
  const capacity = { maxBytes: ROOM[1], admitThreshold: 0.6, hardThreshold: 1 }
  await registryOn(executor).register(
    { id, name: `${id}`, status: 'standby', ...capacity },
    { by: 'operator' },
  )
}

/** Counts what is on each active shard, and writes it down with what was reserved before the count. */
export async function measureStored(executor: Executor): Promise<void> {
  const registry = registryOn(executor)
  for (const { id, status, reservedEver } of await registry.list()) {
    if (status !== 'active') continue
    const sql = `select count(*) as size from placed where shard = ${id}`
    const { rows } = await executor.execute<{ size: bigint }>({ sql, parameters: [] })
    await registry.measure(id, rows[0]?.size ?? 0n, { reservedBefore: reservedEver })
  }
}

/** How many keys are on each shard. */
export async function storedKeys(executor: Executor): Promise<ReadonlyMap<ShardId, bigint>> {
  const sql = 'select shard, count(*) as size from placed group by shard'
  const { rows } = await executor.execute<{ shard: number; size: bigint }>({ sql, parameters: [] })
  return new Map(rows.map(({ shard, size }) => [shard, size]))
}

/** A line of history beside what its shard is now. */
export interface SnapshotLine {
  readonly shard_id: number
  readonly version: bigint
  readonly from_status: string | null
  readonly to_status: string
  readonly changed_by: string | null
  readonly reason: string | null
  readonly status: string
}

/** All shards and their histories at one moment: one statement sees one state. */
export async function snapshot(executor: Executor): Promise<readonly SnapshotLine[]> {
  const sql = `select h.shard_id, h.version, h.from_status, h.to_status, h.changed_by, h.reason, s.status
from shards s join shard_history h on h.family = s.family and h.shard_id = s.id
where s.family = 'users' order by h.shard_id, h.version`
  return (await executor.execute<SnapshotLine>({ sql, parameters: [] })).rows
}
