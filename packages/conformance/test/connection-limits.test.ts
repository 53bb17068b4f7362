import { randomBytes } from 'node:crypto'
import { type Catalog, fanOut, lazyCatalog, ShardCodec, ShardedExecutor, staticCatalog } from '@shard/core'
import { describe, expect, test } from 'vitest'
import { sql } from '../src/executor/check.ts'
import { type Database, withServer } from './databases.ts'
import { servers } from './faulty-servers.ts'
import { freshDatabase, openDatabase } from './fresh-database.ts'

const SHARDS = 60
/** How many connections the server gives. */
const LIMIT = 50
/** How many the application allows itself: the server may still count those that have just been closed. */
const BUDGET = 40

/** A user who may have so many connections, and read every table. */
const spellings = {
  postgres: {
    create: (user: string) => [`create role ${user} login connection limit ${LIMIT}`],
    grant: ['grant select on t to public'],
    drop: (user: string) => `drop role ${user}`,
  },
  mysql: {
    create: (user: string) => [
      `create user ${user}@'%' with max_user_connections ${LIMIT}`,
      `grant all on *.* to ${user}@'%'`,
    ],
    grant: [],
    drop: (user: string) => `drop user ${user}@'%'`,
  },
}

/** Creates the databases, and gives the addresses under which the limited user has them. */
async function onManyDatabases(engine: Database, body: (global: string, urls: string[]) => Promise<void>) {
  const { create, grant, drop } = spellings[engine.dialect as 'postgres' | 'mysql']
  const user = `shard_test_${randomBytes(4).toString('hex')}`
  const global = await freshDatabase(engine)
  const admin = openDatabase(global.url, 1)
  for (const text of create(user)) await admin.execute(sql(text))
  const shards = await Promise.all(Array.from({ length: SHARDS }, () => freshDatabase(engine)))
  try {
    const urls = await Promise.all(
      shards.map(async ({ url }, shard) => {
        const executor = openDatabase(url, 1)
        await executor.execute(sql('create table t (id bigint not null primary key)'))
        await executor.execute(sql('insert into t (id) values (?)', BigInt(shard)))
        for (const text of grant) await executor.execute(sql(text))
        await executor.close()
        const limited = new URL(url)
        limited.username = user
        return limited.href
      }),
    )
    await body(global.url, urls)
  } finally {
    await Promise.all(shards.map((database) => database.drop()))
    await admin.execute(sql(drop(user)))
    await admin.close()
    await global.drop()
  }
}

async function readAll(catalog: Catalog): Promise<{ rows: readonly unknown[]; codes: Set<unknown> }> {
  await using executor = new ShardedExecutor({ catalog, locator: ShardCodec.default, family: 'users' })
  const { rows, failures } = await fanOut<{ id: bigint }>(executor, sql('select id from t'), {
    orderBy: [{ column: 'id' }],
    onFailure: 'partial',
    concurrency: SHARDS,
  })
  return {
    rows: rows.map(({ id }) => id),
    codes: new Set(failures.map(({ error }) => (error as { code: unknown }).code)),
  }
}

for (const engine of servers) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      test(`a fan-out over ${SHARDS} databases of a server that gives ${LIMIT} connections succeeds`, async () => {
        await onManyDatabases(engine, async (global, urls) => {
          const shardIds = urls.map((_, shard) => shard)
          const all = shardIds.map(BigInt)
          const open = (shard: number) => openDatabase(urls[shard] as string, 1)

          const greedy = staticCatalog({
            global: openDatabase(global, 1),
            shards: new Map(shardIds.map((shard) => [shard, open(shard)])),
          })
          const without = await readAll(greedy)
          expect(without.rows.length).toBeLessThanOrEqual(LIMIT)
          expect(without.codes).toEqual(new Set(['BUSY']))

          const frugal = lazyCatalog({
            global: openDatabase(global, 1),
            shardIds,
            maxConnections: BUDGET,
            open: async (shard) => ({ executor: open(shard), connections: 1 }),
          })
          expect(await readAll(frugal)).toEqual({ rows: all, codes: new Set() })
        })
      }, 120_000)
    })
  })
}
