import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Executor, fanOut, ShardCodec, ShardingSettings, staticCatalog } from '@shard/core'
import { postgresExecutor } from '@shard/core/postgres'
import { sqliteExecutor } from '@shard/core/sqlite'
import Database from 'better-sqlite3'
import postgres from 'postgres'
import { delayingProxy } from './delaying-proxy.ts'
import type { Comparison } from './side-by-side.ts'

const ROWS = 2_000
const NEWEST = { orderBy: [{ column: 'id', direction: 'desc' as const }], limit: 100 }
const SELECT = 'select id, name from t'
const RAW = `${SELECT} order by id desc limit 100`

/** Fan-outs against the raw calls that they are made of. */
export async function fanOuts(): Promise<Comparison[]> {
  const url = process.env.SHARD_TEST_POSTGRES_URL
  if (!url) console.log('\nPostgreSQL is missing: run `pnpm bench`, which starts it.')
  return [...sqliteFiles(64), ...(url ? await postgresBehindProxy(url, 16, 20) : [])]
}

function executorOver(shards: readonly Executor[]): Executor {
  const settings = ShardingSettings.encoded('users', ShardCodec.default)
  const global = sqliteExecutor(new Database(':memory:'))
  return settings.executor(staticCatalog({ global, shards: new Map(shards.entries()) }))
}

function sqliteFiles(count: number): Comparison[] {
  const folder = mkdtempSync(join(tmpdir(), 'shard-bench-'))
  const files = Array.from({ length: count }, (_, shard) => join(folder, `${shard}.db`))
  for (const [shard, file] of files.entries()) {
    const database = new Database(file)
    database.pragma('journal_mode = wal')
    database.exec('create table t (id bigint primary key, name text)')
    const insert = database.prepare('insert into t values (?, ?)')
    database.transaction(() => {
      for (let i = 0; i < ROWS; i++) insert.run(BigInt(i * count + shard), `name ${i}`)
    })()
    database.close()
  }
  const raw = files.map((file) => {
    const database = new Database(file)
    database.defaultSafeIntegers(true)
    return database.prepare(RAW)
  })
  const db = executorOver(files.map((file) => sqliteExecutor(new Database(file))))
  const close = async (): Promise<void> => {
    await db.close()
    rmSync(folder, { recursive: true })
  }
  const statement = { sql: SELECT, parameters: [] }
  const pages = pagesOf(db)
  return [
    {
      title: `Fan-out, ORDER BY id DESC LIMIT 100, ${count} SQLite files (the driver is synchronous)`,
      batch: 20,
      contestants: [
        {
          name: 'the sum of the raw calls',
          run: async (batch) => {
            for (let i = 0; i < batch; i++) for (const select of raw) await select.all()
          },
        },
        {
          name: 'fanOut, merged',
          run: async (batch) => {
            for (let i = 0; i < batch; i++) await fanOut(db, statement, NEWEST)
          },
        },
      ],
    },
    {
      title: `Pages of 100 by cursor, ${count} SQLite files`,
      batch: 20,
      contestants: [
        { name: 'page 1', run: (batch) => pages(1, batch) },
        { name: 'page 1,000', run: (batch) => pages(1_000, batch) },
      ],
      close,
    },
  ]
}

/** Reads one page again and again; its cursor is found once, by reading all pages before it. */
function pagesOf(db: Executor): (page: number, batch: number) => Promise<void> {
  const cursors = new Map<number, string | null>([[1, null]])
  const read = (after: string | null) => fanOut(db, { sql: SELECT, parameters: [] }, { ...NEWEST, after })
  return async (page, batch) => {
    for (let at = cursors.size; !cursors.has(page); at++) {
      cursors.set(at + 1, (await read(cursors.get(at) ?? null)).cursor)
    }
    const after = cursors.get(page) ?? null
    for (let i = 0; i < batch; i++) await read(after)
  }
}

async function postgresBehindProxy(url: string, count: number, delayMs: number): Promise<Comparison[]> {
  const { hostname, port } = new URL(url)
  const proxy = await delayingProxy({ host: hostname, port: Number(port || 5432) }, delayMs)
  const admin = postgres(url, { max: 1, onnotice: () => {} })
  const names = Array.from({ length: count }, () => `shard_bench_${randomBytes(6).toString('hex')}`)
  const at = (name: string): string => {
    const own = new URL(url)
    own.host = `127.0.0.1:${proxy.port}`
    own.pathname = `/${name}`
    return own.href
  }
  for (const [shard, name] of names.entries()) {
    await admin.unsafe(`create database ${name}`)
    const sql = postgres(at(name), { max: 1, onnotice: () => {} })
    await sql.unsafe('create table t (id bigint primary key, name text)')
    await sql.unsafe(
      `insert into t select g * ${count} + ${shard}, 'name' from generate_series(0, ${ROWS - 1}) g`,
    )
    await sql.end()
  }
  const raw = names.map((name) => postgres(at(name), { max: 1 }))
  const db = executorOver(names.map((name) => postgresExecutor(postgres(at(name), { max: 1 }))))
  const slowest = raw[0] as postgres.Sql
  return [
    {
      title: `Fan-out, ORDER BY id DESC LIMIT 100, ${count} PostgreSQL databases, answers ${delayMs} ms late`,
      batch: 5,
      contestants: [
        {
          name: 'one shard, by the driver',
          run: async (batch) => {
            for (let i = 0; i < batch; i++) await slowest.unsafe(RAW, [], { prepare: true })
          },
        },
        {
          name: 'fanOut over all, merged',
          run: async (batch) => {
            for (let i = 0; i < batch; i++) await fanOut(db, { sql: SELECT, parameters: [] }, NEWEST)
          },
        },
      ],
      close: async () => {
        await db.close()
        await Promise.all(raw.map((sql) => sql.end()))
        for (const name of names) await admin.unsafe(`drop database ${name} with (force)`)
        await admin.end()
        proxy.close()
      },
    },
  ]
}
