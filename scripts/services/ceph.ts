import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { makeOwnFolder } from './account.ts'
import { cephSettings } from './ceph-settings.ts'
import type { Host } from './host.ts'
import { installBlocker } from './packages.ts'
import { freePorts, launch, run, type Started, waitUntil } from './process.ts'
import { findProgram } from './programs.ts'
import { probeS3, s3Addresses, s3Keys } from './s3-address.ts'
import type { Addresses, Way } from './ways.ts'

/** What Debian and Ubuntu call the parts of a one-node Ceph with an S3 gateway. */
export const cephPackages = ['radosgw', 'ceph-mon', 'ceph-osd', 'ceph-common'] as const

const programs = ['radosgw', 'radosgw-admin', 'ceph-mon', 'ceph-osd', 'ceph', 'monmaptool']

/** The ways to Ceph's gateway: installed already, or to be installed. */
export function cephWays(host: Host): Way[] {
  const absent = () => programs.filter((program) => !findProgram(program))
  return [
    {
      name: 'local',
      blocker: () => (absent().length > 0 ? `${absent().join(', ')} not installed` : null),
      start: () => startCeph(host),
    },
    {
      name: 'apt',
      blocker: () => installBlocker(host.env),
      start: async () => {
        await host.installer.install(host, cephPackages)
        return await startCeph(host)
      },
    },
  ]
}

/** One monitor, one object store in memory, one gateway; started in this order, ended in the opposite one. */
async function startCeph(host: Host): Promise<Addresses> {
  const folder = makeOwnFolder(host.folder, `ceph-${Date.now()}`, host.account)
  for (const part of ['mon', 'osd']) makeOwnFolder(folder, part, host.account)
  const [port = 0, monitorPort = 0] = await freePorts(2)
  const cluster = randomUUID()
  const settings = join(folder, 'ceph.conf')
  writeFileSync(settings, cephSettings({ folder, cluster, port, monitorPort }))
  const ceph = node(host, ['-c', settings])
  await startMonitor(ceph, folder, cluster, monitorPort)
  await startObjectStore(ceph)
  const gateway = ceph.launch('radosgw', '-f', '-n', 'client.rgw')
  await waitUntil(() => probeS3(s3Addresses(port)), 90_000, gateway)
  const keys = [`--access-key=${s3Keys.access}`, `--secret-key=${s3Keys.secret}`]
  await ceph.run('radosgw-admin', 'user', 'create', '--uid=shard', '--display-name=shard', ...keys)
  return s3Addresses(port)
}

async function startMonitor(ceph: Node, folder: string, cluster: string, port: number): Promise<void> {
  const map = join(folder, 'monmap')
  const address = `[v2:127.0.0.1:${port}/0]`
  await ceph.run('monmaptool', '--create', '--fsid', cluster, '--addv', 'a', address, map)
  await ceph.run('ceph-mon', '-i', 'a', '--mkfs', '--monmap', map, '--keyring', '/dev/null')
  ceph.launch('ceph-mon', '-f', '-i', 'a')
}

async function startObjectStore(ceph: Node): Promise<void> {
  const store = randomUUID()
  await ceph.run('ceph', '--connect-timeout', '30', 'osd', 'new', store)
  await ceph.run('ceph-osd', '-i', '0', '--mkfs', '--osd-uuid', store)
  ceph.launch('ceph-osd', '-f', '-i', '0')
}

interface Node {
  run(program: string, ...args: string[]): Promise<void>
  launch(program: string, ...args: string[]): Started
}

/** Runs Ceph's programs with the same settings. */
function node(host: Host, shared: readonly string[]): Node {
  const command = (program: string, args: readonly string[]) => ({
    group: 'ceph',
    program: findProgram(program) ?? program,
    args: [...shared, ...args],
  })
  return {
    run: (program, ...args) => run(host, command(program, args)),
    launch: (program, ...args) => launch(host, command(program, args)),
  }
}
