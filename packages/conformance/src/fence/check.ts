import assert from 'node:assert/strict'
import type { Executor } from '@shard/core'
import { type Fencing, fencedExecutor, type Identity, shardFence, writeIdentity } from '@shard/sql'

/** An empty database of a test's own. */
export interface FenceHost {
  /** A new connection to it, or a pool of some; closed with the host. */
  connect(): Executor
  close(): Promise<void>
}

export type Check = (name: string, body: (host: FenceHost) => Promise<void>) => unknown

export const identity: Identity = { cluster: 'c1', family: 'users', shard: 3 }

/** The first grants of a database, each made after a raise. */
export const ann: Fencing = { token: 2n, nonce: 'ann' }
export const bob: Fencing = { token: 4n, nonce: 'bob' }

/** A database with an identity and a table of entries. */
export async function setUp(host: FenceHost): Promise<Executor> {
  const executor = host.connect()
  await writeIdentity(executor, identity)
  await executor.execute({ sql: 'create table entry (n bigint not null primary key)', parameters: [] })
  return executor
}

/** Gives the database to a grant, as a hand-off does. */
export async function handOver(executor: Executor, grant: Fencing): Promise<void> {
  const { token } = await shardFence(executor).read()
  assert.equal(await shardFence(executor).raise(token), true)
  assert.equal(await shardFence(executor).grant(token + 1n, grant), true)
}

/** An owner on a connection of its own, with its grant in force. */
export async function owner(host: FenceHost, grant: Fencing): Promise<Executor> {
  const executor = host.connect()
  await handOver(executor, grant)
  return fencedExecutor(executor, grant)
}

export function insert(executor: Executor, n: number): Promise<unknown> {
  return executor.execute({ sql: `insert into entry (n) values (${n})`, parameters: [] })
}

export async function entries(executor: Executor): Promise<bigint[]> {
  const statement = { sql: 'select n from entry order by n', parameters: [] }
  return (await executor.execute<{ n: bigint }>(statement)).rows.map(({ n }) => n)
}

export function rejects(call: Promise<unknown>, code: string): Promise<void> {
  return assert.rejects(call, { code })
}
