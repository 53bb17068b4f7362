import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Host } from './host.ts'
import { freePorts, run, waitUntil } from './process.ts'
import type { Addresses, Way } from './ways.ts'

const file = fileURLToPath(new URL('../../docker-compose.yml', import.meta.url))

/** A service of `docker-compose.yml`, the variable that sets its port there, and what to make of the port. */
export interface Container {
  readonly service: 'postgres' | 'mariadb' | 'minio'
  readonly variable: string
  toAddresses(port: number): Addresses
  probe(addresses: Addresses): Promise<void>
}

/** Runs a service of the compose file, in a project of its own and on a free port. */
export function dockerWay(host: Host, { service, variable, toAddresses, probe }: Container): Way {
  return {
    name: 'docker',
    blocker,
    async start() {
      const [port = 0] = await freePorts(1)
      const compose = ['compose', '--project-name', `shard-test-${process.pid}-${service}`, '--file', file]
      const down = ['docker', ...compose, 'down', '--volumes', '--timeout', '5']
      host.keeper.tell({ group: service, command: down })
      const args = [...compose, 'up', '--detach', '--wait', '--wait-timeout', '300', service]
      const env = { ...process.env, [variable]: String(port) }
      await run(host, { group: service, program: 'docker', args, account: null, env }, 600_000)
      await waitUntil(() => probe(toAddresses(port)), 30_000)
      return toAddresses(port)
    },
  }
}

function blocker(): string | null {
  const works = (...args: string[]) =>
    spawnSync('docker', args, { stdio: 'ignore', timeout: 15_000 }).status === 0
  if (!works('--version')) return 'it is not installed'
  if (!works('compose', 'version')) return 'it lacks its compose plugin'
  return works('info') ? null : 'it is not running'
}
