import type { Executor } from '@shard/core'
import { mysqlRegistry } from '@shard/registry/mysql'
import { Placer, type PlacerOptions } from './placer.ts'

/** A placer over the registry of its family in a MySQL or MariaDB global database. */
export function mysqlPlacer(executor: Executor, options: Omit<PlacerOptions, 'registry'>): Placer {
  return new Placer({ ...options, registry: mysqlRegistry(executor, { family: options.settings.family }) })
}
