import { checkLayout, type DialectName, type Executor, type Layout } from '@shard/core'
import { applySchema, leaseSchema, type SchemaLadder, schemaDdl } from '@shard/sql'
import { registryDialectOf } from './dialects.ts'
import { layoutRecord, layoutSchema } from './layout-sql.ts'

/** What the global database is to hold beside the registry. */
export interface ControlTablesOptions {
  /** The ladders of other packages, such as the directory's. */
  readonly schemas?: readonly SchemaLadder[]
  /** How ids are split, for ever: put on record by the first call that says so, compared by all others. */
  readonly layout?: Layout
}

/**
 * Brings the tables of the global database to this version: the registry's, the leases', the layout's, then those
 * given. Any number of processes may call it at once; a second call changes nothing.
 * @throws SchemaMismatchError if a step on record is not the step in the code
 * @throws LayoutMismatchError if another layout is on record; of callers with different ones, one wins
 */
export async function ensureControlTables(
  executor: Executor,
  { schemas = [], layout }: ControlTablesOptions = {},
): Promise<void> {
  if (layout !== undefined) checkLayout(layout)
  for (const schema of [...ownSchemas(executor), ...schemas]) await applySchema(executor, schema)
  if (layout !== undefined) await layoutRecord(executor).settle(layout)
}

/**
 * The statements that make the same tables in an empty database, for people who run such statements themselves
 * because the app may not. A later `ensureControlTables` finds them made, and goes on from there.
 */
export function controlTablesDdl(
  dialect: DialectName,
  { schemas = [] }: Pick<ControlTablesOptions, 'schemas'> = {},
): readonly string[] {
  const statements = [...ownSchemas({ dialect }), ...schemas].flatMap((schema) => schemaDdl(dialect, schema))
  // Each set of tables begins with the one ledger.
  return [...new Set(statements)]
}

function ownSchemas(executor: Pick<Executor, 'dialect'>): readonly SchemaLadder[] {
  return [registryDialectOf(executor).schema, leaseSchema(executor), layoutSchema]
}
