import type { DialectName, Executor } from '@shard/core'
import type { RegistryDialect } from './dialect.ts'
import * as mysql from './mysql.ts'
import * as postgres from './postgres.ts'
import * as sqlite from './sqlite.ts'

const dialects: Record<DialectName, RegistryDialect> = { sqlite, postgres, mysql }

/** The registry's part of the dialect that an executor speaks. */
export function registryDialectOf({ dialect }: Pick<Executor, 'dialect'>): RegistryDialect {
  return dialects[dialect]
}
