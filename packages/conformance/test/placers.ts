import { type DialectName, type Executor, ShardCodec, ShardingSettings } from '@shard/core'
import type { IdSource, Placer, PlacerOptions } from '@shard/placer'
import { mysqlPlacer } from '@shard/placer/mysql'
import { postgresPlacer } from '@shard/placer/postgres'
import { sqlitePlacer } from '@shard/placer/sqlite'

const placers: Record<DialectName, typeof sqlitePlacer> = {
  sqlite: sqlitePlacer,
  postgres: postgresPlacer,
  mysql: mysqlPlacer,
}

/** A placer of one family's keys on whatever engine an executor speaks to. */
export function placerOn(
  executor: Executor,
  allocator: IdSource,
  cacheTtlMs: number,
  options: Partial<PlacerOptions> = {},
): Placer {
  const settings = ShardingSettings.encoded('users', ShardCodec.default)
  return placers[executor.dialect](executor, { ...options, settings, allocator, cacheTtlMs })
}
