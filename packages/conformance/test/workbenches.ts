import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DialectName, Executor, Statement } from '@shard/core'
import {
  type Provision,
  Provisioner,
  type ProvisionerOptions,
  type ProvisionStep,
  type ShardDatabases,
} from '@shard/placer'
import { mysqlDatabases } from '@shard/placer/mysql'
import { postgresDatabases } from '@shard/placer/postgres'
import { sqliteDatabases } from '@shard/placer/sqlite'
import type { ShardRegistry } from '@shard/registry'
import { applySchema, identified, leases, type SchemaLadder } from '@shard/sql'
import { expect } from 'vitest'
import type { Database } from './databases.ts'
import { openDatabase } from './fresh-database.ts'
import { registryOn } from './registry-hosts.ts'
import { onSharedDatabase } from './shared-database.ts'

/** Where one test's shards are made: enough to work there from another process too. */
export interface Site {
  /** Of the global database. */
  readonly url: string
  readonly family: string
  /** For engines that have files. */
  readonly folder: string
}

/** A global database, and a place for the databases of one family. */
export interface Workbench extends Site {
  readonly registry: ShardRegistry
  readonly databases: ShardDatabases
  readonly provision: Provision
  connect(): Executor
  /** Opens a shard's database by name. */
  open(name: string): Executor
  /** The names of the family's databases, ascending. */
  existing(): Promise<readonly string[]>
  provisioner(options?: Partial<ProvisionerOptions>): Provisioner
}

/** What is made on each shard. */
export const shardSchema: SchemaLadder = {
  name: 'app',
  steps: [['create table account (id bigint primary key)']],
}
export const CLUSTER = 'cluster-of-tests'

/** A provisioner on a site. */
export function provisionerAt(
  site: Site,
  global: Executor,
  options: Partial<ProvisionerOptions> = {},
): Provisioner {
  return new Provisioner({
    registry: registryOn(global, site.family),
    leases: leases(global),
    keepStandbys: 2,
    provision: provisionAt(site, global),
    describe: () => ({ maxBytes: 1_000n }),
    ...options,
  })
}

/** How shards are made on a site: beside the global database. */
function provisionAt(site: Site, global: Executor): Provision & { readonly databases: ShardDatabases } {
  return {
    databases: engines[global.dialect].databases(site, global),
    cluster: CLUSTER,
    async schema(executor) {
      await applySchema(executor, shardSchema)
      return 7n
    },
  }
}

/** Runs `body` on a workbench of its own, and drops what is left on it. */
export async function onWorkbench(
  engine: Database,
  body: (workbench: Workbench) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'shard-provision-'))
  const family = `p${randomBytes(6).toString('hex')}`
  try {
    await onSharedDatabase(engine, async ({ url, connect }) => {
      const site = { url, folder, family }
      const global = connect()
      const provision = provisionAt(site, global)
      const workbench: Workbench = {
        ...site,
        registry: registryOn(global, family),
        databases: provision.databases,
        provision,
        connect,
        open: (name) => openDatabase(urlOf(site, name), 1),
        existing: async () => [...(await engines[engine.dialect].existing(site, global))].sort(),
        provisioner: (options) => provisionerAt(site, global, options),
      }
      try {
        await body(workbench)
      } finally {
        for (const name of await workbench.existing()) await workbench.databases.drop(name)
      }
    })
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The database of a family's shard. */
export function nameOf({ family }: Site, shard: number): string {
  return `${family}_shard_000${shard}`
}

/** Each shard with its status. */
export async function statusesOf({ registry }: Workbench): Promise<readonly string[]> {
  return (await registry.list()).map(({ id, status }) => `${id} ${status}`)
}

/** Ends a run after a step. */
export function stopAfter(last: ProvisionStep['step']): (step: ProvisionStep) => void {
  return ({ step }) => {
    if (step === last) throw new Error(`dead after ${last}`)
  }
}

/** Whatever happened: two standbys that are complete, no database without a row, none of a retired shard. */
export async function checkConverged(bench: Workbench): Promise<void> {
  const shards = await bench.registry.list()
  const inUse = shards.filter(({ status }) => status !== 'retired')
  expect(inUse.filter(({ status }) => status === 'standby')).toHaveLength(2)
  expect(inUse.filter(({ status }) => status === 'provisioning')).toEqual([])
  expect(await bench.existing()).toEqual(inUse.map(({ name }) => name))
  for (const { id, name, schemaVersion } of inUse) {
    expect(schemaVersion).toBe(7n)
    const executor = bench.open(name)
    await identified(executor, { cluster: CLUSTER, family: bench.family, shard: id })
    await executor.execute({ sql: 'select id from account', parameters: [] })
    await executor.close()
  }
}

interface Engine {
  databases(site: Site, global: Executor): ShardDatabases
  existing(site: Site, global: Executor): Promise<readonly string[]>
}

function urlOf({ url, folder }: Site, name: string): string {
  if (!url.includes('://')) return join(folder, `${name}.db`)
  const own = new URL(url)
  own.pathname = `/${name}`
  return own.href
}

const openAt = (site: Site) => (name: string) => openDatabase(urlOf(site, name), 1)

function found(sql: (family: string) => string): Engine['existing'] {
  return async ({ family }, global) => {
    const statement: Statement = { sql: sql(family), parameters: [] }
    return (await global.execute<{ name: string }>(statement)).rows.map(({ name }) => name)
  }
}

const engines: Record<DialectName, Engine> = {
  sqlite: {
    databases: ({ folder }) => sqliteDatabases({ folder, open: (file) => openDatabase(file, 1) }),
    existing: async ({ folder }) =>
      (await readdir(folder)).filter((file) => file.endsWith('.db')).map((file) => file.slice(0, -3)),
  },
  postgres: {
    databases: (site, admin) => postgresDatabases({ admin, open: openAt(site) }),
    existing: found((family) => `select datname as name from pg_database where datname like '${family}%'`),
  },
  mysql: {
    databases: (site, admin) => mysqlDatabases({ admin, open: openAt(site) }),
    existing: found(
      (family) =>
        `select schema_name as name from information_schema.schemata where schema_name like '${family}%'`,
    ),
  },
}
