import type { DialectName, Executor } from '@shard/core'
import type { RegistryDialect } from './dialect.ts'
import { schema as mysqlSchema, measureSize as mysqlSize } from './mysql.ts'
import { schema as postgresSchema, measureSize as postgresSize } from './postgres.ts'
import { schema as sqliteSchema, measureSize as sqliteSize } from './sqlite.ts'

const dialects: Record<DialectName, RegistryDialect> = {
  sqlite: { schema: sqliteSchema, measureSize: sqliteSize },
  postgres: { schema: postgresSchema, measureSize: postgresSize },
  mysql: { schema: mysqlSchema, measureSize: mysqlSize },
}

/** The registry's part of the dialect that an executor speaks. */
export function registryDialectOf({ dialect }: Pick<Executor, 'dialect'>): RegistryDialect {
  return dialects[dialect]
}
