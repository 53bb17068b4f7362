import { randomBytes } from 'node:crypto'
import { type Executor, ShardCodec, ShardingSettings, staticCatalog } from '@shard/core'
import { mysqlExecutor } from '@shard/core/mysql'
import { postgresExecutor } from '@shard/core/postgres'
import { sqliteExecutor } from '@shard/core/sqlite'
import Database from 'better-sqlite3'
import mysql from 'mysql2/promise'
import postgres from 'postgres'
import { atOnce, type Comparison } from './side-by-side.ts'

const ROWS = 10_000
const CONNECTIONS = 4
/** Calls under way at once. */
const IN_FLIGHT = 8

/** The same point read and write on a server, by its driver and through a routed executor. */
interface Server {
  readonly name: string
  readonly executor: Executor
  /** With prepared statements. */
  rawRead(id: bigint): Promise<unknown>
  rawWrite(id: bigint, name: string): Promise<unknown>
  readonly read: string
  readonly write: string
  close(): Promise<void>
}

/** Routed point reads and writes on PostgreSQL and MariaDB against their drivers. */
export async function networkPoint(): Promise<Comparison[]> {
  const servers = [
    ...(process.env.SHARD_TEST_POSTGRES_URL ? [await onPostgres(process.env.SHARD_TEST_POSTGRES_URL)] : []),
    ...(process.env.SHARD_TEST_MYSQL_URL ? [await onMysql(process.env.SHARD_TEST_MYSQL_URL)] : []),
  ]
  if (servers.length < 2) console.log('\nA server is missing: run `pnpm bench`, which starts them.')
  return servers.flatMap(comparisonsOn)
}

function comparisonsOn(server: Server): Comparison[] {
  const settings = ShardingSettings.encoded('users', ShardCodec.default)
  const global = sqliteExecutor(new Database(':memory:'))
  const db = settings.executor(staticCatalog({ global, shards: new Map([[1, server.executor]]) }))
  const ours = (sql: string, id: bigint, ...first: unknown[]): Promise<unknown> =>
    db.execute({ sql, parameters: [...first, id] }, { route: { key: id } })
  return [
    {
      title: `${server.name}: point read, ${CONNECTIONS} connections, ${IN_FLIGHT} calls at once`,
      batch: 4_000,
      contestants: [
        atOnce('the driver, prepared', IN_FLIGHT, (i) => server.rawRead(idOf(i))),
        atOnce('@shard/core, routed by key', IN_FLIGHT, (i) => ours(server.read, idOf(i))),
      ],
    },
    {
      title: `${server.name}: point write, ${CONNECTIONS} connections, ${IN_FLIGHT} calls at once`,
      batch: 2_000,
      contestants: [
        atOnce('the driver, prepared', IN_FLIGHT, (i) => server.rawWrite(idOf(i), `name ${i}`)),
        atOnce('@shard/core, routed by key', IN_FLIGHT, (i) => ours(server.write, idOf(i), `name ${i}`)),
      ],
      close: async () => {
        await db.close()
        await server.close()
      },
    },
  ]
}

function idOf(i: number): bigint {
  return ShardCodec.default.compose(1, BigInt((i % ROWS) + 1))
}

async function onPostgres(url: string): Promise<Server> {
  const options = { max: CONNECTIONS, onnotice: () => {} }
  const raw = postgres(url, { ...options, types: { bigint: postgres.BigInt } })
  const table = `bench_${randomBytes(4).toString('hex')}`
  await raw.unsafe(`create unlogged table ${table} (id bigint primary key, name text)`)
  await raw.unsafe(
    `insert into ${table} select (1::bigint << 52) | g, 'name' from generate_series(1, ${ROWS}) g`,
  )
  const read = `select id, name from ${table} where id = $1`
  const write = `update ${table} set name = $1 where id = $2`
  return {
    name: 'PostgreSQL',
    executor: postgresExecutor(postgres(url, options)),
    rawRead: (id) => raw.unsafe(read, [id as never], { prepare: true }),
    rawWrite: (id, name) => raw.unsafe(write, [name, id as never], { prepare: true }),
    read,
    write,
    close: async () => {
      await raw.unsafe(`drop table ${table}`)
      await raw.end()
    },
  }
}

async function onMysql(url: string): Promise<Server> {
  const options = { uri: url, connectionLimit: CONNECTIONS, supportBigNumbers: true, bigNumberStrings: true }
  const raw = mysql.createPool(options)
  const table = `bench_${randomBytes(4).toString('hex')}`
  await raw.query(`create table ${table} (id bigint primary key, name varchar(50))`)
  const rows = Array.from({ length: ROWS }, (_, i) => `(${idOf(i)}, 'name')`)
  await raw.query(`insert into ${table} values ${rows.join(', ')}`)
  const read = `select id, name from ${table} where id = ?`
  const write = `update ${table} set name = ? where id = ?`
  return {
    name: 'MariaDB',
    executor: mysqlExecutor(mysql.createPool({ uri: url, connectionLimit: CONNECTIONS })),
    rawRead: (id) => raw.execute(read, [id]),
    rawWrite: (id, name) => raw.execute(write, [name, id]),
    read,
    write,
    close: async () => {
      await raw.query(`drop table ${table}`)
      await raw.end()
    },
  }
}
