import { type Executor, ShardCodec, ShardingSettings, staticCatalog } from '@shard/core'
import { postgresExecutor } from '@shard/core/postgres'
import { sqliteExecutor } from '@shard/core/sqlite'
import Database from 'better-sqlite3'
import postgres from 'postgres'
import { delayingProxy } from './delaying-proxy.ts'
import { type Comparison, type Contestant, median } from './side-by-side.ts'

const SHARDS = 8
const LAST = SHARDS - 1
/** How long a call on the frozen shard is waited for. */
const PATIENCE_MS = 100
const read = { sql: 'select 1::bigint as n', parameters: [] }

/** What seven shards feel of an eighth that stands still, with a caller on each. */
export async function frozenShard(): Promise<Comparison[]> {
  const url = process.env.SHARD_TEST_POSTGRES_URL
  if (!url) {
    console.log('\nPostgreSQL is missing: run `pnpm bench`, which starts it.')
    return []
  }
  const fleets = [await openFleet(url, false), await openFleet(url, true)]
  return [
    {
      title: `Point reads on ${LAST} PostgreSQL shards while the eighth is used too`,
      batch: 2_000,
      rounds: 31,
      contestants: fleets.map(({ contestant }) => contestant),
      close: async () => {
        await Promise.all(fleets.map((fleet) => fleet.close()))
      },
    },
  ]
}

interface Fleet {
  readonly contestant: Contestant
  close(): Promise<void>
}

async function openFleet(url: string, isFrozen: boolean): Promise<Fleet> {
  const { hostname, port } = new URL(url)
  const proxy = await delayingProxy({ host: hostname, port: Number(port || 5432) }, 0)
  const through = new URL(url)
  through.host = `127.0.0.1:${proxy.port}`
  const shards = new Map(
    Array.from({ length: SHARDS }, (_, shard): [number, Executor] => [
      shard,
      postgresExecutor(postgres(shard === LAST ? through.href : url, { max: 1, onnotice: () => {} })),
    ]),
  )
  const settings = ShardingSettings.encoded('users', ShardCodec.default)
  const db = settings.executor(staticCatalog({ global: sqliteExecutor(new Database(':memory:')), shards }))
  for (const shard of shards.keys()) await db.execute(read, { route: { shard } })
  if (isFrozen) proxy.freeze()
  const close = async (): Promise<void> => {
    proxy.close()
    await db.close()
  }
  return { contestant: contestantOn(db, isFrozen ? 'the eighth stands still' : 'all are well'), close }
}

function contestantOn(db: Executor, name: string): Contestant {
  const times: number[] = []
  const run = async (batch: number): Promise<void> => {
    let left = batch
    const caller = async (_: unknown, shard: number): Promise<void> => {
      while (left-- > 0) {
        const start = performance.now()
        await db.execute(read, { route: { shard } })
        times.push(performance.now() - start)
      }
    }
    const callers = Promise.all(Array.from({ length: LAST }, caller))
    while (left > 0) await useLast(db)
    await callers
  }
  return { name, run, remark: () => remark(times) }
}

/** A call that fails is a part of it. */
async function useLast(db: Executor): Promise<void> {
  const options = { route: { shard: LAST }, signal: AbortSignal.timeout(PATIENCE_MS) }
  await db.execute(read, options).catch(() => {})
}

function remark(times: number[]): string {
  times.sort((a, b) => a - b)
  const p99 = times[Math.floor(times.length * 0.99)] ?? Number.NaN
  return `median ${median(times).toFixed(3)} ms, p99 ${p99.toFixed(3)} ms`
}
