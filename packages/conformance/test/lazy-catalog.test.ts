import {
  type Catalog,
  type Executor,
  fanOut,
  isShardError,
  lazyCatalog,
  ShardCodec,
  ShardedExecutor,
  streamFanOut,
} from '@shard/core'
import { describe, expect, test } from 'vitest'
import { sql } from '../src/executor/check.ts'
import { type Database, databases, withServer } from './databases.ts'
import { type FreshDatabase, freshDatabase, openDatabase } from './fresh-database.ts'

const SHARDS = 64
const BUDGET = 8

interface LazyFleet {
  readonly executor: Executor
  readonly catalog: Catalog
  /** The most connections that were open at one time. */
  most(): number
  close(): Promise<void>
}

/** 64 shards of one connection each, under a budget of 8. */
async function openLazy(engine: Database): Promise<LazyFleet> {
  const made = await Promise.all(Array.from({ length: SHARDS + 1 }, () => freshDatabase(engine)))
  const [global, ...shards] = made as [FreshDatabase, ...FreshDatabase[]]
  let open = 0
  let most = 0
  const catalog = lazyCatalog({
    global: openDatabase(global.url),
    shardIds: shards.map((_, shard) => shard),
    maxConnections: BUDGET,
    open: async (shard) => {
      const executor = openDatabase((shards[shard] as FreshDatabase).url, 1)
      most = Math.max(most, ++open)
      const close = executor.close.bind(executor)
      executor.close = async () => {
        await close()
        open--
      }
      return { executor, connections: 1 }
    },
  })
  const executor = new ShardedExecutor({ catalog, locator: ShardCodec.default, family: 'users' })
  const close = async (): Promise<void> => {
    await executor.close()
    await Promise.all(made.map((database) => database.drop()))
  }
  return { executor, catalog, most: () => most, close }
}

async function fill({ executor }: LazyFleet): Promise<void> {
  for (const shard of executor.shardIds()) {
    const route = { shard }
    await executor.execute(sql('create table t (id bigint not null primary key)'), { route })
    await executor.execute(sql('insert into t (id) values (?), (?)', BigInt(shard), BigInt(shard + 100)), {
      route,
    })
  }
}

for (const engine of databases) {
  withServer(engine.name, engine.availability, () => {
    describe(engine.name, () => {
      test('64 shards under a budget of 8: whatever asks at once ends with rows or a typed error', async () => {
        const fleet = await openLazy(engine)
        try {
          await fill(fleet)
          const { executor } = fleet
          const orderBy = [{ column: 'id' }]
          const merged = fanOut(executor, sql('select id from t'), { orderBy })
          const streamed = (async () => {
            let rows = 0
            for await (const _ of streamFanOut(executor, sql('select id from t'), { orderBy, pageRows: 1 })) {
              rows++
              await new Promise((resolve) => setImmediate(resolve))
            }
            return rows
          })()
          const crossing = Array.from({ length: BUDGET }, (_, i) =>
            executor.transaction(
              async (tx) => {
                await tx.execute(sql('update t set id = id'))
                await executor.execute(sql('select id from t'), { route: { shard: i + 32 } })
              },
              { route: { shard: i } },
            ),
          )
          const ended = await Promise.allSettled(crossing)
          for (const end of ended) {
            if (end.status === 'rejected') expect(isShardError(end.reason, 'BUSY')).toBe(true)
          }
          expect((await merged).rows).toHaveLength(2 * SHARDS)
          expect(await streamed).toBe(2 * SHARDS)
          expect(fleet.most()).toBeLessThanOrEqual(BUDGET)
        } finally {
          await fleet.close()
        }
      }, 120_000)
    })
  })
}
