import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import postgresDriver from 'postgres'
import { makeOwnFolder } from './account.ts'
import type { Host } from './host.ts'
import { installBlocker } from './packages.ts'
import { pgbouncerSettings, pgbouncerUsers } from './pgbouncer-settings.ts'
import { freePorts, launch, waitUntil } from './process.ts'
import { findProgram } from './programs.ts'
import type { Addresses, Service, Way } from './ways.ts'

const variable = 'SHARD_TEST_PGBOUNCER_URL'

/**
 * PgBouncer in transaction mode in front of `server`, the PostgreSQL of this run, whose URL it waits for:
 * an installed one, or the one of the distribution's packages.
 */
export function pgbouncer(host: Host, server: Promise<string | null>): Service {
  const way = (name: 'local' | 'apt', blocker: () => string | null, prepare: () => Promise<void>): Way => ({
    name,
    blocker: async () => ((await server) ? blocker() : 'there is no PostgreSQL to put it in front of'),
    start: async () => {
      await prepare()
      return await start(host, new URL((await server) ?? ''))
    },
  })
  return {
    name: 'pgbouncer',
    title: 'PostgreSQL behind PgBouncer',
    variable,
    how: `install pgbouncer, or set ${variable}`,
    given: (env) => ({ [variable]: env[variable] ?? '' }),
    probe,
    ways: [
      way(
        'local',
        () => (findProgram('pgbouncer') ? null : 'it is not installed'),
        async () => {},
      ),
      way(
        'apt',
        () => installBlocker(host.env),
        () => host.installer.install(host, ['pgbouncer']),
      ),
    ],
  }
}

async function start(host: Host, server: URL): Promise<Addresses> {
  const folder = makeOwnFolder(host.folder, `pgbouncer-${Date.now()}`, host.account)
  const [port = 0] = await freePorts(1)
  const settings = ownFile(host, join(folder, 'pgbouncer.ini'), pgbouncerSettings({ folder, port, server }))
  ownFile(host, join(folder, 'users.txt'), pgbouncerUsers(server))
  const program = findProgram('pgbouncer') ?? 'pgbouncer'
  // SIGINT lets it go at once, SIGTERM only when its clients have left (in newer versions).
  const command = { group: 'pgbouncer', program, args: [settings], endSignal: 'SIGINT' } as const
  const pooler = launch(host, command)
  const url = new URL(server)
  url.host = `127.0.0.1:${port}`
  url.password = ''
  const addresses = { [variable]: url.href }
  await waitUntil(() => probe(addresses), 15_000, pooler)
  return addresses
}

function ownFile({ account }: Host, path: string, text: string): string {
  writeFileSync(path, text, { mode: 0o600 })
  if (account) chownSync(path, account.uid, account.gid)
  return path
}

async function probe(addresses: Addresses): Promise<void> {
  const sql = postgresDriver(addresses[variable] ?? '', { max: 1, connect_timeout: 3, prepare: false })
  try {
    await sql.unsafe('select 1')
  } finally {
    await sql.end({ timeout: 1 })
  }
}
