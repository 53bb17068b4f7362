import type { Executor } from '@shard/core'
import type { Database } from './databases.ts'
import { freshDatabase, openDatabase } from './fresh-database.ts'

/** A database that several connections, and processes, have in common. */
export interface SharedDatabase {
  readonly url: string
  /** A new connection to it, or a small pool; closed at the end. */
  connect(): Executor
}

/** One that is dropped when it is closed. */
export interface ConnectedDatabase extends SharedDatabase {
  close(): Promise<void>
}

/** An empty database of an engine; each `connect` is a pool of so many connections, with `decorate` around it. */
export async function connectedDatabase(
  engine: Database,
  connections = 4,
  decorate: (executor: Executor) => Executor = (executor) => executor,
): Promise<ConnectedDatabase> {
  const { url, drop } = await freshDatabase(engine)
  const executors: Executor[] = []
  return {
    url,
    connect() {
      const executor = decorate(openDatabase(url, connections))
      executors.push(executor)
      return executor
    },
    async close() {
      await Promise.all(executors.map((executor) => executor.close()))
      await drop()
    },
  }
}

/** Runs `body` on an empty database of an engine. */
export async function onFreshDatabase(
  engine: Database,
  body: (database: SharedDatabase) => Promise<void>,
  connections?: number,
): Promise<void> {
  const database = await connectedDatabase(engine, connections)
  try {
    await body(database)
  } finally {
    await database.close()
  }
}
