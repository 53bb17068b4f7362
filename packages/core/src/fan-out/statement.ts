import { InvalidArgumentError } from './errors.ts'
import type { DialectName, Statement } from './executor.ts'
import type { OrderTerm } from './fan-out-order.ts'

/** How an engine spells an order that sorts text by its UTF-8 bytes. */
type SpellTerm = (term: OrderTerm) => string

const spellings: Partial<Record<DialectName, SpellTerm>> = {
  // On a column that is not text the collation has no effect.
  sqlite: ({ column, direction, nulls }) =>
    `"${column.replaceAll('"', '""')}" collate binary ${direction} nulls ${nulls}`,
}

/** The statement with a shard's part of the order and limit around it. */
export function shardStatement(
  statement: Statement,
  dialect: DialectName,
  terms: readonly OrderTerm[],
  maxRows: number | null,
): Statement {
  if (terms.length === 0 && maxRows === null) return statement
  const spell = spellings[dialect]
  if (!spell) throw new InvalidArgumentError(`a fan-out cannot order rows on ${dialect} yet`)
  const order = terms.length === 0 ? '' : ` order by ${terms.map(spell).join(', ')}`
  const limit = maxRows === null ? '' : ` limit ${maxRows}`
  return { ...statement, sql: `select * from (${statement.sql}) as shard_rows${order}${limit}` }
}
