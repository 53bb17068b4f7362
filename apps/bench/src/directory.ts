import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Executor } from '@shard/core'
import { mysqlExecutor } from '@shard/core/mysql'
import { postgresExecutor } from '@shard/core/postgres'
import { sqliteExecutor } from '@shard/core/sqlite'
import { cachedDirectory, type Directory } from '@shard/directory'
import * as onMysql from '@shard/directory/mysql'
import * as onPostgres from '@shard/directory/postgres'
import * as onSqlite from '@shard/directory/sqlite'
import { applySchema, type SchemaLadder } from '@shard/sql'
import Database from 'better-sqlite3'
import mysql from 'mysql2/promise'
import postgres from 'postgres'
import { atOnce, type Comparison, type Contestant } from './side-by-side.ts'

const KEYS = 10_000
const MANY = 1_000
/** Calls under way at once on a server. */
const IN_FLIGHT = 8
const CONNECTIONS = 4

const SELECT = "select id from shard_directory where namespace = 'default' and natural_key = "
const CONFIRMED = " and state = 'confirmed'"

/** The same rows by the driver and through a directory. */
interface Side {
  readonly name: string
  /** What a call by the driver gives is an id, by a prepared statement. */
  raw(key: string): unknown
  readonly executor: Executor
  readonly directory: Directory
  readonly inFlight: number
  readonly batch: number
  close(): Promise<void>
}

/** Whose a key is: a directory against a prepared select of the same row, alone, in bulk and from a cache. */
export async function directories(): Promise<Comparison[]> {
  const { SHARD_TEST_POSTGRES_URL: postgresUrl, SHARD_TEST_MYSQL_URL: mysqlUrl } = process.env
  const sides = [
    await sqliteSide(),
    ...(postgresUrl ? [await postgresSide(postgresUrl)] : []),
    ...(mysqlUrl ? [await mysqlSide(mysqlUrl)] : []),
  ]
  return sides.flatMap(comparisonsOn)
}

function comparisonsOn(side: Side): Comparison[] {
  const { name, directory, batch, inFlight } = side
  const cached = cachedDirectory(directory, { max: KEYS, ttlMs: 3_600_000 })
  const calls = (what: string, call: (key: string) => unknown): Contestant =>
    atOnce(what, inFlight, (i) => call(keyOf(i)))
  let claims = 0
  return [
    {
      title: `${name}: the owner of a key, ${inFlight} calls at once`,
      batch,
      rounds: 100,
      contestants: [
        calls('the driver, prepared select', async (key) => side.raw(key)),
        calls('resolve', (key) => directory.resolve(key)),
        calls('resolve, cached', (key) => cached.resolve(key)),
      ],
    },
    {
      title: `${name}: ${MANY} keys, a key is an operation`,
      batch: MANY,
      contestants: [
        calls('the driver, one after the other', async (key) => side.raw(key)),
        {
          name: 'resolveMany',
          run: async (count) => {
            const keys = Array.from({ length: MANY }, (_, i) => keyOf(i))
            for (let i = 0; i < count; i += MANY) await directory.resolveMany(keys)
          },
        },
      ],
    },
    {
      title: `${name}: a new key`,
      batch: 100,
      contestants: [atOnce('claim', inFlight, () => directory.claim(`new ${++claims}`, BigInt(claims)))],
      close: () => side.close(),
    },
  ]
}

function keyOf(i: number): string {
  return `person${i % KEYS}@example.com`
}

async function fill(executor: Executor, schema: SchemaLadder): Promise<void> {
  await applySchema(executor, schema)
  for (let start = 0; start < KEYS; start += MANY) {
    const rows = Array.from(
      { length: MANY },
      (_, i) =>
        `('default', '${keyOf(start + i)}', ${(1n << 52n) + BigInt(start + i)}, 'confirmed', 't', ${start + i + 1}, 1)`,
    )
    const columns = 'namespace, natural_key, id, state, token, version, updated_at_ms'
    await executor.execute({
      sql: `insert into shard_directory (${columns}) values ${rows.join()}`,
      parameters: [],
    })
  }
}

async function sqliteSide(): Promise<Side> {
  const folder = mkdtempSync(join(tmpdir(), 'shard-bench-'))
  const file = join(folder, 'global.db')
  const executor = sqliteExecutor(new Database(file))
  await fill(executor, onSqlite.schema)
  const driver = new Database(file)
  driver.defaultSafeIntegers(true)
  const select = driver.prepare(`${SELECT}?${CONFIRMED}`)
  return {
    name: 'SQLite, WAL file',
    raw: (key) => select.get(key),
    executor,
    directory: onSqlite.sqliteDirectory(executor),
    inFlight: 1,
    batch: 200,
    close: async () => {
      await executor.close()
      driver.close()
      rmSync(folder, { recursive: true })
    },
  }
}

async function postgresSide(url: string): Promise<Side> {
  const { name, own } = databaseAt(url)
  const admin = postgres(url, { max: 1 })
  await admin.unsafe(`create database ${name}`)
  const executor = postgresExecutor(postgres(own, { max: CONNECTIONS, onnotice: () => {} }))
  await fill(executor, onPostgres.schema)
  const driver = postgres(own, { max: CONNECTIONS, types: { bigint: postgres.BigInt } })
  return {
    name: 'PostgreSQL',
    raw: (key) => driver.unsafe(`${SELECT}$1${CONFIRMED}`, [key], { prepare: true }),
    executor,
    directory: onPostgres.postgresDirectory(executor),
    inFlight: IN_FLIGHT,
    batch: 200,
    close: async () => {
      await executor.close()
      await driver.end()
      await admin.unsafe(`drop database ${name}`)
      await admin.end()
    },
  }
}

async function mysqlSide(url: string): Promise<Side> {
  const { name, own } = databaseAt(url)
  const admin = await mysql.createConnection(url)
  await admin.query(`create database ${name} character set utf8mb4`)
  const executor = mysqlExecutor(mysql.createPool({ uri: own, connectionLimit: CONNECTIONS }))
  await fill(executor, onMysql.schema)
  const driver = mysql.createPool({
    uri: own,
    connectionLimit: CONNECTIONS,
    supportBigNumbers: true,
    bigNumberStrings: true,
  })
  return {
    name: 'MariaDB',
    raw: (key) => driver.execute(`${SELECT}?${CONFIRMED}`, [key]),
    executor,
    directory: onMysql.mysqlDirectory(executor),
    inFlight: IN_FLIGHT,
    batch: 200,
    close: async () => {
      await executor.close()
      await driver.end()
      await admin.query(`drop database ${name}`)
      await admin.end()
    },
  }
}

function databaseAt(url: string): { name: string; own: string } {
  const name = `shard_bench_${randomBytes(4).toString('hex')}`
  const own = new URL(url)
  own.pathname = `/${name}`
  return { name, own: own.href }
}
