import type { DialectName } from '@shard/core'
import { sql } from 'kysely'
import { dialectOf } from './dialects.ts'
import { queryBuilder } from './query-builder.ts'
import { checksumOf, type LedgerRow, ledgerTable, type SchemaLadder } from './schema-ladder.ts'

/**
 * What `applySchema` would run on an empty database, as plain SQL for people who run such statements themselves:
 * the tables, and the rows of the ledger that make a later `applySchema` go on from there.
 */
export function schemaDdl(dialect: DialectName, { name, steps }: SchemaLadder): readonly string[] {
  const engine = dialectOf({ dialect })
  const db = queryBuilder<{ shard_schema: LedgerRow }>(engine)
  const recorded = steps.flatMap((statements, i) => {
    const row = {
      name: sql.lit(name),
      step: sql.lit(i + 1),
      checksum: sql.lit(checksumOf(statements)),
      applied_at_ms: engine.nowMs,
    }
    return [...statements, db.insertInto('shard_schema').values(row).compile().sql]
  })
  return [ledgerTable(engine), ...recorded]
}
