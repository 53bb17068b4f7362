import type { Executor } from '@shard/core'
import { ensureControlTables } from '@shard/registry'
import type { Database } from './databases.ts'
import { directoryAdapterOf } from './directory-hosts.ts'
import { freshDatabase, openDatabase } from './fresh-database.ts'

/** A database that several connections, and processes, have in common. */
export interface SharedDatabase {
  readonly url: string
  /** A new connection to it, or a small pool; closed at the end. */
  connect(): Executor
}

/** Runs `body` on a new database with the tables of the registry and the directory. */
export async function onSharedDatabase(
  engine: Database,
  body: (database: SharedDatabase) => Promise<void>,
): Promise<void> {
  const { url, drop } = await freshDatabase(engine)
  const executors: Executor[] = []
  const connect = (): Executor => {
    const executor = openDatabase(url, 2)
    executors.push(executor)
    return executor
  }
  try {
    await ensureControlTables(connect(), { schemas: [directoryAdapterOf(engine).schema] })
    await body({ url, connect })
  } finally {
    await Promise.all(executors.map((executor) => executor.close()))
    await drop()
  }
}
