import assert from 'node:assert/strict'
import type { ShardRecord, ShardRegistry, ShardStatus } from '@shard/registry'

/** An adapter under test: a registry per family, all in one database of its own. */
export interface RegistryHost {
  registry(family: string): ShardRegistry
  close(): Promise<void>
}

/** Declares one test on two families of a new and empty database. */
export type Check = (
  name: string,
  body: (registry: ShardRegistry, sibling: ShardRegistry) => Promise<void>,
) => unknown

export function shard(id: number, status: ShardStatus): { id: number; name: string; status: ShardStatus } {
  return { id, name: `users_shard_${id}`, status }
}

/** Registers shards 0, 1, ... with these statuses. */
export async function fleet(registry: ShardRegistry, ...of: ShardStatus[]): Promise<void> {
  for (const [id, status] of of.entries()) await registry.register(shard(id, status))
}

export async function need(registry: ShardRegistry, id: number): Promise<ShardRecord> {
  const record = await registry.get(id)
  assert.ok(record)
  return record
}

export async function statusesOf(registry: ShardRegistry): Promise<string[]> {
  return (await registry.list()).map(({ status }) => status)
}

export function rejects(call: Promise<unknown>, code: string): Promise<void> {
  return assert.rejects(call, { code })
}
