import { type Executor, instrument, ShardCodec, ShardedExecutor, staticCatalog } from '@shard/core'
import { resilient } from '@shard/core/resilience'
import { sqliteExecutor } from '@shard/core/sqlite'
import SqliteDriver from 'better-sqlite3'
import type { ExecutorHost } from '../src/executor.suite.ts'
import type { Database } from './databases.ts'
import { freshDatabase, openDatabase } from './fresh-database.ts'

/** An executor on an empty database of an engine; `decorate` may put something around it. */
export async function executorHost(
  engine: Database,
  decorate: (executor: Executor) => Executor = (executor) => executor,
): Promise<ExecutorHost> {
  const database = await freshDatabase(engine)
  const executor = decorate(openDatabase(database.url))
  const close = async (): Promise<void> => {
    await executor.close()
    await database.drop()
  }
  return { executor, close }
}

/** The inside of a transaction, which stays open until the host is closed. */
export async function insideTransaction(outer: ExecutorHost): Promise<ExecutorHost> {
  let end = (): void => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  let transaction: Promise<unknown> = Promise.resolve()
  const executor = await new Promise<Executor>((resolve, reject) => {
    transaction = outer.executor.transaction((tx) => {
      resolve(tx)
      return ended
    })
    transaction.catch(reject)
  })
  const close = async (): Promise<void> => {
    end()
    await transaction.catch(() => {})
    await outer.close()
  }
  return { executor, close }
}

/** A sharded executor whose global database is the one given. */
export function sharded(global: Executor): Executor {
  const shards = new Map([[1, sqliteExecutor(new SqliteDriver(':memory:'))]])
  const catalog = staticCatalog({ global, shards })
  return new ShardedExecutor({ catalog, locator: ShardCodec.default, family: 'users' })
}

/** An executor with both decorators around it. */
export function watched(executor: Executor): Executor {
  return instrument(resilient(executor, { initialDelayMs: 0 }), { start: () => () => {} })
}
