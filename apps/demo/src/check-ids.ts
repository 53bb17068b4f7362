import type { ShardId } from '@shard/core'
import type { Fleet } from './fleet.ts'
import { reaching } from './leave-out.ts'
import { readShard } from './shard-query.ts'

/** The ids of all accounts and messages of the shards that can be reached, and how many were there before. */
export async function checkIds(fleet: Fleet): Promise<{ readonly ids: number; readonly repeats: number }> {
  const all: bigint[] = []
  for (const { id } of await fleet.registry.list())
    for (const name of ['accounts', 'messages'] as const)
      for (const row of (await reaching(fleet, id, () => idsIn(fleet, id, name))) ?? []) all.push(row.id)
  return { ids: all.length, repeats: all.length - new Set(all).size }
}

function idsIn(
  { executor }: Fleet,
  shard: ShardId,
  name: 'accounts' | 'messages',
): Promise<readonly { readonly id: bigint }[]> {
  return readShard(executor, { shard }, (db) => db.selectFrom(name).select('id'))
}
