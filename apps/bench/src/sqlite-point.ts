import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ShardCodec, ShardingSettings, staticCatalog } from '@shard/core'
import { sqliteExecutor } from '@shard/core/sqlite'
import Database from 'better-sqlite3'
import type { Comparison } from './side-by-side.ts'

const ROWS = 10_000

/** A routed point read and write against the raw driver, on WAL files. */
export function sqlitePoint(): Comparison[] {
  const folder = mkdtempSync(join(tmpdir(), 'shard-bench-'))
  const raw = open(join(folder, 'raw.db'))
  raw.defaultSafeIntegers(true)
  const settings = ShardingSettings.encoded('users', ShardCodec.default)
  const shards = new Map([[1, sqliteExecutor(open(join(folder, 'shard.db')))]])
  const db = settings.executor(staticCatalog({ global: sqliteExecutor(new Database(':memory:')), shards }))
  const idOf = (i: number): bigint => ShardCodec.default.compose(1, BigInt((i % ROWS) + 1))

  const select = raw.prepare('select id, name from users where id = ?')
  const update = raw.prepare('update users set name = ? where id = ?')
  const ours = (sql: string, id: bigint, ...first: unknown[]) =>
    db.execute({ sql, parameters: [...first, id] }, { route: { key: id } })
  return [
    {
      title: 'SQLite point read, WAL file',
      batch: 5_000,
      contestants: [
        {
          name: 'better-sqlite3, awaited .all()',
          run: async (batch) => {
            for (let i = 0; i < batch; i++) await select.all(idOf(i))
          },
        },
        {
          name: '@shard/core, routed by key',
          run: async (batch) => {
            for (let i = 0; i < batch; i++) await ours('select id, name from users where id = ?', idOf(i))
          },
        },
      ],
    },
    {
      title: 'SQLite point write, WAL file, synchronous = full',
      batch: 200,
      contestants: [
        {
          name: 'better-sqlite3, awaited .run()',
          run: async (batch) => {
            for (let i = 0; i < batch; i++) await update.run(`name ${i}`, idOf(i))
          },
        },
        {
          name: '@shard/core, routed by key',
          run: async (batch) => {
            for (let i = 0; i < batch; i++)
              await ours('update users set name = ? where id = ?', idOf(i), `name ${i}`)
          },
        },
      ],
      close: async () => {
        await db.close()
        raw.close()
        rmSync(folder, { recursive: true })
      },
    },
  ]
}

function open(file: string): Database.Database {
  const database = new Database(file)
  database.pragma('journal_mode = wal')
  database.pragma('synchronous = full')
  database.exec('create table users (id bigint primary key, name text)')
  const insert = database.prepare('insert into users values (?, ?)')
  database.transaction(() => {
    for (let i = 1; i <= ROWS; i++) insert.run(ShardCodec.default.compose(1, BigInt(i)), `name ${i}`)
  })()
  return database
}
