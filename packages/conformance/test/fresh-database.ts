import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Executor } from '@shard/core'
import { mysqlExecutor } from '@shard/core/mysql'
import { postgresExecutor } from '@shard/core/postgres'
import { sqliteExecutor } from '@shard/core/sqlite'
import SqliteDriver from 'better-sqlite3'
import mysql from 'mysql2/promise'
import postgres from 'postgres'
import type { Database } from './databases.ts'

/** An empty database of a test's own. */
export interface FreshDatabase {
  /** A file's path, or a server's URL with the database in it. */
  readonly url: string
  drop(): Promise<void>
}

/** How an engine makes and opens databases. */
interface Engine {
  create(url: string): Promise<FreshDatabase>
  /** A new connection, or a pool of `connections`. */
  open(url: string, connections: number): Executor
}

const onPostgres: Engine = {
  create: (url) =>
    onServer(
      url,
      (name) => `create database ${name}`,
      (name) => `drop database ${name} with (force)`,
    ),
  open: (url, max) => postgresExecutor(postgres(url, { max, onnotice: () => {} })),
}

const engines: Record<Database['name'], Engine> = {
  sqlite: {
    create: async () => {
      const folder = await mkdtemp(join(tmpdir(), 'shard-test-'))
      return { url: join(folder, 'fresh.db'), drop: () => rm(folder, { recursive: true }) }
    },
    open: (file) => sqliteExecutor(new SqliteDriver(file), { busyTimeoutMs: 30_000 }),
  },
  postgres: onPostgres,
  'postgres behind pgbouncer': onPostgres,
  mariadb: {
    create: (url) =>
      onServer(
        url,
        (name) => `create database ${name} character set utf8mb4`,
        (name) => `drop database ${name}`,
      ),
    open: (url, connectionLimit) => mysqlExecutor(mysql.createPool({ uri: url, connectionLimit })),
  },
}

/** Creates a database on an engine of the matrix. */
export async function freshDatabase({ name, availability }: Database): Promise<FreshDatabase> {
  if (availability.state !== 'configured') throw new Error(`${name} has no server`)
  return engines[name].create(availability.url)
}

/** A new connection, or a pool of four, to a database by its path or URL. */
export function openDatabase(url: string, connections = 4): Executor {
  const name = url.startsWith('postgres') ? 'postgres' : url.startsWith('mysql') ? 'mariadb' : 'sqlite'
  return engines[name].open(url, connections)
}

async function onServer(
  url: string,
  create: (name: string) => string,
  drop: (name: string) => string,
): Promise<FreshDatabase> {
  const name = `shard_test_${randomBytes(8).toString('hex')}`
  const run = async (sql: string): Promise<void> => {
    const server = openDatabase(url, 1)
    await server.execute({ sql, parameters: [] })
    await server.close()
  }
  await run(create(name))
  const own = new URL(url)
  own.pathname = `/${name}`
  return { url: own.href, drop: () => run(drop(name)) }
}
