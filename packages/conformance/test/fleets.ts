import { type Executor, ShardCodec, ShardedExecutor, staticCatalog } from '@shard/core'
import type { Database } from './databases.ts'
import { type FreshDatabase, freshDatabase, openDatabase } from './fresh-database.ts'

/** A sharded executor on databases of its own. */
export interface Fleet {
  readonly executor: Executor
  close(): Promise<void>
}

/** Shards 0, 1, ... on the engines given, and a global database on the first of them. */
export async function openFleet(engines: readonly Database[]): Promise<Fleet> {
  const databases = await Promise.all([engines[0] as Database, ...engines].map(freshDatabase))
  const [global, ...shards] = databases.map(({ url }) => openDatabase(url)) as [Executor, ...Executor[]]
  const catalog = staticCatalog({ global, shards: new Map(shards.entries()) })
  const executor = new ShardedExecutor({ catalog, locator: ShardCodec.default, family: 'users' })
  const close = async (): Promise<void> => {
    await executor.close()
    await Promise.all(databases.map((database: FreshDatabase) => database.drop()))
  }
  return { executor, close }
}
