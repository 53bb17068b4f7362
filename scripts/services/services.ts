import { type Host, openHost } from './host.ts'
import { mariadb } from './mariadb.ts'
import { pgbouncer } from './pgbouncer.ts'
import { postgres } from './postgres.ts'
import { waitUntil } from './process.ts'
import { s3 } from './s3.ts'
import { wantedServices } from './selection.ts'
import { type Addresses, type Found, firstWay, type Missing, type Service } from './ways.ts'

/** How to start the servers. */
export interface ServiceOptions {
  readonly env: NodeJS.ProcessEnv
  /** Takes what happens, line by line. */
  say(line: string): void
}

/** The servers that run, and those that do not. */
export interface Services {
  /** For the environment of the tests; `SHARD_TEST_MISSING` lists the missing ones. */
  readonly env: Addresses
  readonly missing: readonly Missing[]
  /** The titles of those that `DIALECTS` leaves out. */
  readonly leftOut: readonly string[]
  /** Private; removed when the servers are stopped. */
  readonly folder: string
}

/** Servers that are about to run. */
export interface Starting {
  readonly ready: Promise<Services>
  /** Ends all that was started, at any time; resolves when nothing of it is left. */
  stop(): Promise<void>
}

/** Starts every wanted server, all at the same time; those given in the environment are only tried. */
export function startServices({ env, say }: ServiceOptions): Starting {
  const wanted = wantedServices(env)
  const host = openHost(env, say)
  const server = postgres(host)
  const others = [mariadb(host), s3(host)]
  const isWanted = ({ name }: Service) => wanted.includes(name)
  const serverReady = isWanted(server) ? start(server, host) : null
  const pooler = pgbouncer(host, urlOf(serverReady, server))
  const leftOut = [server, pooler, ...others]
    .filter((service) => !isWanted(service))
    .map(({ title }) => title)
  const rest = [pooler, ...others].filter(isWanted).map((service) => start(service, host))
  const ready = Promise.all([...(serverReady ? [serverReady] : []), ...rest])
  return {
    ready: ready.then((results) => ({ ...collect(results), leftOut, folder: host.folder })),
    stop: () => host.keeper.close(),
  }
}

async function start(service: Service, host: Host): Promise<Addresses | Missing> {
  const { name, title, how, variable } = service
  const since = Date.now()
  const given = host.env[variable]
  const found = given
    ? await tryGiven(service, host.env)
    : await firstWay(service.ways, host.env[viaOf(variable)])
  if ('why' in found) return { name, title, why: found.why, how }
  for (const failure of found.failed) host.say(`${title}, ${failure}`)
  host.say(`${title}: ${found.way}, after ${((Date.now() - since) / 1000).toFixed(1)} s`)
  return found.addresses
}

/** The address that a server of this run turns out to have; null if there is none. */
async function urlOf(
  ready: Promise<Addresses | Missing> | null,
  { variable }: Service,
): Promise<string | null> {
  const found = await ready?.catch(() => null)
  return found && !isMissing(found) ? (found[variable] ?? null) : null
}

/** SHARD_TEST_POSTGRES_URL -> SHARD_TEST_POSTGRES_VIA */
function viaOf(variable: string): string {
  return variable.replace(/_[A-Z]+$/, '_VIA')
}

async function tryGiven(service: Service, env: NodeJS.ProcessEnv): Promise<Found> {
  const addresses = service.given(env)
  try {
    await waitUntil(() => service.probe(addresses), 10_000)
    return { addresses, way: `the one that ${service.variable} names`, failed: [] }
  } catch (error) {
    return { why: `${service.variable} is set, but ${(error as Error).message}` }
  }
}

function collect(results: readonly (Addresses | Missing)[]): Pick<Services, 'env' | 'missing'> {
  const missing = results.filter(isMissing)
  const addresses = results.filter((result) => !isMissing(result))
  const names = missing.map(({ name }) => name).join(',')
  return { env: { ...Object.assign({}, ...addresses), SHARD_TEST_MISSING: names }, missing }
}

function isMissing(result: Addresses | Missing): result is Missing {
  return 'why' in result
}
