import { ensureControlTables } from '@shard/registry'
import { onFreshDatabase, type SharedDatabase } from './connected-database.ts'
import type { Database } from './databases.ts'
import { directoryAdapterOf } from './directory-hosts.ts'

/** Runs `body` on a new database with the tables of the registry and the directory. */
export async function onSharedDatabase(
  engine: Database,
  body: (database: SharedDatabase) => Promise<void>,
): Promise<void> {
  const prepared = async (database: SharedDatabase): Promise<void> => {
    await ensureControlTables(database.connect(), { schemas: [directoryAdapterOf(engine).schema] })
    await body(database)
  }
  await onFreshDatabase(engine, prepared, 2)
}
