import type { Executor } from '@shard/core'
import { applySchema, type SchemaLadder } from '@shard/sql'
import { registryDialectOf } from './dialects.ts'

/**
 * Brings the tables of the global database to this version: the registry's, then those given, such as
 * the directory's. Any number of processes may call it at once; a second call changes nothing.
 * @throws SchemaMismatchError if a step on record is not the step in the code
 */
export async function ensureControlTables(
  executor: Executor,
  { schemas = [] }: { readonly schemas?: readonly SchemaLadder[] } = {},
): Promise<void> {
  for (const schema of [registryDialectOf(executor).schema, ...schemas]) await applySchema(executor, schema)
}
