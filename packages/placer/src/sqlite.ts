import type { Executor } from '@shard/core'
import { sqliteRegistry } from '@shard/registry/sqlite'
import { Placer, type PlacerOptions } from './placer.ts'

/** A placer over the registry of its family in a SQLite global database. */
export function sqlitePlacer(executor: Executor, options: Omit<PlacerOptions, 'registry'>): Placer {
  return new Placer({ ...options, registry: sqliteRegistry(executor, { family: options.settings.family }) })
}
