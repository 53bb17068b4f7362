import { type Executor, isShardError } from '@shard/core'
import { dialectOf, queryBuilder, run } from '@shard/sql'
import type { RawBuilder } from 'kysely'
import { isUnreachable } from '../outages.ts'
import { Refusal } from '../refusal.ts'
import { lockDatabase } from '../server-lock.ts'
import type { Target } from '../target.ts'
import type { Engine } from './engine.ts'

/** The connections of one open database. */
export const CONNECTIONS = 2

/** How long a server that does not answer is waited for. */
export const CONNECT_TIMEOUT_MS = 5_000

/** How an engine with a server makes and opens its databases. */
export interface Server {
  /** Opens a pool to the database that the URL names. */
  connect(address: string, connections: number): Promise<Executor>
  /** The database to be connected to while another is made; empty for none. */
  readonly maintenance: string
  create(name: string): RawBuilder<unknown>
  /** Does the error say that there is no such database? */
  isMissing(error: unknown): boolean
  /** Does it say that somebody else has just made it? */
  isTaken(error: unknown): boolean
  /** Statements that take the lock of a process; the last gives one row with `locked` = 1 if it has it. */
  readonly lock: readonly string[]
}

/** The part of an engine that has to do with its server. */
export function onServer(server: Server): Pick<Engine, 'open' | 'lock'> {
  const open: Engine['open'] = (target, { create }) => openDatabase(server, target, CONNECTIONS, create)
  return {
    open,
    async lock(target) {
      const executor = await openDatabase(server, target, 1, true)
      return lockDatabase(executor, server.lock, target.shown)
    },
  }
}

/** What the driver calls an error: a field of our error's cause. */
export function codeOf(error: unknown, field: 'code' | 'errno'): unknown {
  return isShardError(error) ? (error.cause as Record<string, unknown> | undefined)?.[field] : undefined
}

async function openDatabase(
  server: Server,
  { address, name, shown }: Target,
  connections: number,
  create: boolean,
): Promise<Executor> {
  try {
    const found = await ready(server, address, connections, create)
    if (found) return found
    await createDatabase(server, address, name)
    return (await ready(server, address, connections, false)) as Executor
  } catch (error) {
    if (isUnreachable(error)) throw error
    throw new Refusal(`The database ${shown} cannot be opened: ${(error as Error).message}.`, 1)
  }
}

/** An executor whose database has answered; null if `mayBeMissing` and it is. */
async function ready(
  server: Server,
  address: string,
  connections: number,
  mayBeMissing: boolean,
): Promise<Executor | null> {
  const executor = await server.connect(address, connections)
  try {
    await executor.execute({ sql: 'select 1 as one', parameters: [] })
    return executor
  } catch (error) {
    await executor.close().catch(() => {})
    if (mayBeMissing && server.isMissing(error)) return null
    throw error
  }
}

async function createDatabase(server: Server, address: string, name: string): Promise<void> {
  const url = new URL(address)
  url.pathname = `/${server.maintenance}`
  const executor = await server.connect(url.href, 1)
  try {
    const query = server.create(name)
    const db = queryBuilder<unknown>(dialectOf(executor))
    await run(executor, { compile: () => query.compile(db) })
  } catch (error) {
    if (!server.isTaken(error)) throw error
  } finally {
    await executor.close().catch(() => {})
  }
}
