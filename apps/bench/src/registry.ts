import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Executor, lazyCatalog, ShardCodec, ShardingSettings } from '@shard/core'
import { sqliteExecutor } from '@shard/core/sqlite'
import { ensureControlTables, refreshSizes } from '@shard/registry'
import { sqliteRegistry } from '@shard/registry/sqlite'
import Database from 'better-sqlite3'
import type { Comparison } from './side-by-side.ts'

const SHARDS = 10_000
const CONCURRENCY = 16
/** Connections that all shards together may use. */
const BUDGET = 32

/** A registry of 10,000 shards: how long a list takes, and measuring them all. */
export async function registry(): Promise<Comparison[]> {
  const folder = mkdtempSync(join(tmpdir(), 'shard-bench-'))
  const file = join(folder, 'global.db')
  const global = sqliteExecutor(new Database(file))
  await ensureControlTables(global)
  await fill(global)
  const shards = sqliteRegistry(global, { family: 'users' })
  const raw = new Database(file)
  raw.defaultSafeIntegers(true)
  const select = raw.prepare("select * from shards where family = 'users' order by id")
  const fleet = fleetIn(folder, global)
  let calls = 0
  return [
    {
      title: `The list of ${SHARDS} shards on SQLite (50,000,000 ns/op are 50 ms)`,
      batch: 1,
      contestants: [
        { name: 'the rows, by the driver', run: () => void select.all() },
        { name: 'registry.list()', run: async () => void (await shards.list()) },
      ],
    },
    {
      title: `Measuring ${SHARDS} SQLite shards, ${CONCURRENCY} at once, ${BUDGET} connections at most (a shard is one op)`,
      batch: SHARDS,
      rounds: 1,
      contestants: [
        {
          name: 'refreshSizes',
          async run() {
            // Once is enough, and takes long: the warm-up is left out.
            if (++calls < 3) return
            const { shards: sizes } = await refreshSizes(fleet.executor, shards, { concurrency: CONCURRENCY })
            const failed = sizes.filter(({ error }) => error !== null)
            if (sizes.length !== SHARDS || failed.length > 0) throw failed[0]?.error ?? new Error('not all')
          },
          remark: () => `${fleet.most()} shards open at most`,
        },
      ],
      close: async () => {
        raw.close()
        await fleet.executor.close()
        rmSync(folder, { recursive: true })
      },
    },
  ]
}

/** One statement: 10,000 registrations would only measure the disk. */
async function fill(global: Executor): Promise<void> {
  const columns = 'family, id, name, status, size_bytes, max_bytes, admit_threshold, hard_threshold'
  const sql = `insert into shards (${columns}, schema_version, created_at_ms, version)
with recursive n as (select 0 as i union all select i + 1 from n where i + 1 < ${SHARDS})
select 'users', i, 'users_shard_' || i, case when i = 0 then 'active' else 'sealed' end, i, 1000000, 0.5, 0.9, 0, 1, 1
from n`
  await global.execute({ sql, parameters: [] })
}

function fleetIn(folder: string, global: Executor): { executor: Executor; most(): number } {
  let open = 0
  let most = 0
  const opened = (shard: number): Executor => {
    const executor = sqliteExecutor(new Database(join(folder, `${shard}.db`)))
    most = Math.max(most, ++open)
    const close = async (): Promise<void> => {
      await executor.close()
      open -= 1
    }
    return Object.create(executor, {
      dialect: { value: executor.dialect },
      execute: { value: executor.execute.bind(executor) },
      close: { value: close },
    })
  }
  const catalog = lazyCatalog({
    global,
    shardIds: Array.from({ length: SHARDS }, (_, shard) => shard),
    open: async (shard) => ({ executor: opened(shard), connections: 1 }),
    maxConnections: BUDGET,
  })
  const settings = ShardingSettings.encoded('users', new ShardCodec({ shardBits: 16 }))
  return { executor: settings.executor(catalog), most: () => most }
}
