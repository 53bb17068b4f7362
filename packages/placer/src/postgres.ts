import type { Executor } from '@shard/core'
import { postgresRegistry } from '@shard/registry/postgres'
import { Placer, type PlacerOptions } from './placer.ts'

/** A placer over the registry of its family in a PostgreSQL global database. */
export function postgresPlacer(executor: Executor, options: Omit<PlacerOptions, 'registry'>): Placer {
  return new Placer({ ...options, registry: postgresRegistry(executor, { family: options.settings.family }) })
}
