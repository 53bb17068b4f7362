import { type DialectName, type Executor, InvalidArgumentError } from '@shard/core'
import type { RegistryDialect } from './dialect.ts'
import { measureSize, schema } from './sqlite.ts'

const dialects: Partial<Record<DialectName, RegistryDialect>> = { sqlite: { schema, measureSize } }

/**
 * The registry's part of the dialect that an executor speaks.
 * @throws InvalidArgumentError for an engine that the registry has no tables for
 */
export function registryDialectOf(executor: Executor): RegistryDialect {
  const dialect = dialects[executor.dialect]
  if (dialect) return dialect
  throw new InvalidArgumentError(`the registry has no tables for ${executor.dialect}`)
}
