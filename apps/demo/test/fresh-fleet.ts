import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { runSql } from './raw-sql.ts'
import { type AfterTest, temporaryDirectory } from './run-demo.ts'
import { type EngineName, servers } from './servers.ts'

/** The databases of a fleet by their addresses. */
export interface Addresses {
  readonly global: string
  /** Null: unsharded. */
  readonly shards: readonly string[] | null
}

/** Which engine each database is on. */
export interface FleetKind {
  readonly name: string
  readonly global: EngineName
  readonly shards: readonly EngineName[] | null
}

const of = (engine: EngineName): readonly EngineName[] => [engine, engine, engine]

/** Every engine, all of them mixed, and no shards at all. */
export const kinds: readonly FleetKind[] = [
  { name: 'sqlite', global: 'sqlite', shards: of('sqlite') },
  { name: 'postgres', global: 'postgres', shards: of('postgres') },
  { name: 'mariadb', global: 'mysql', shards: of('mysql') },
  { name: 'a mix', global: 'postgres', shards: ['mysql', 'sqlite', 'postgres'] },
  { name: 'unsharded sqlite', global: 'sqlite', shards: null },
  { name: 'unsharded postgres', global: 'postgres', shards: null },
  { name: 'unsharded mariadb', global: 'mysql', shards: null },
]

export function enginesOf({ global, shards }: FleetKind): readonly EngineName[] {
  return [...new Set([global, ...(shards ?? [])])]
}

/** Addresses of databases that do not exist; what is made there is gone after the test. */
export function freshFleet({ global, shards }: FleetKind, afterTest: AfterTest = onTestFinished): Addresses {
  const directory = temporaryDirectory(afterTest)
  const prefix = `shard_demo_${randomBytes(6).toString('hex')}`
  const addressOf = (engine: EngineName, name: string): string => {
    if (engine === 'sqlite') return `sqlite:${join(directory, `${name}.db`)}`
    return serverDatabase(engine, `${prefix}_${name}`, afterTest)
  }
  return {
    // A name that has to be quoted.
    global: addressOf(global, 'the "global" `one`'),
    shards: shards?.map((engine, shard) => addressOf(engine, `${shard}`)) ?? null,
  }
}

/** The arguments of the app. */
export function argumentsOf({ global, shards }: Addresses): string[] {
  return ['--global', global, ...(shards === null ? [] : ['--shards', shards.join(',')])]
}

const quoted: Readonly<Record<Exclude<EngineName, 'sqlite'>, (name: string) => string>> = {
  postgres: (name) => `"${name.replaceAll('"', '""')}" with (force)`,
  mysql: (name) => `\`${name.replaceAll('`', '``')}\``,
}

function serverDatabase(engine: Exclude<EngineName, 'sqlite'>, name: string, afterTest: AfterTest): string {
  const server = servers[engine] as string
  const url = new URL(server)
  url.pathname = `/${encodeURIComponent(name)}`
  afterTest(async () => {
    await runSql(server, `drop database if exists ${quoted[engine](name)}`)
  })
  return url.href
}
