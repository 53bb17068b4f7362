import type { CheckedRule } from '../tables.ts'
import type { ColumnUpdateNode, OperationNode } from '../tree.ts'
import { ReferenceNode } from '../tree.ts'
import { columnName, tableName } from './names.ts'
import { bare } from './raw-text.ts'
import type { KeyColumns, Scope } from './scope.ts'
import { itemOf, tableColumns } from './sources.ts'
import type { Walk } from './walk.ts'

/** A table that a statement writes to. */
export interface WriteTarget {
  readonly table: string
  readonly alias: string
  readonly rule: CheckedRule
  readonly columns: KeyColumns
}

/** Adds a table that is written to; null if it is none that may be. */
export function targetOf(walk: Walk, scope: Scope, node: OperationNode): WriteTarget | null {
  const { node: tableNode, alias } = itemOf(node)
  const table = tableName(tableNode)
  if (tableNode.kind !== 'TableNode' || alias === null) {
    walk.proof.refuse(`a write to a ${tableNode.kind} is not routed`)
    return null
  }
  if (table !== null && scope.expression(table) !== undefined) {
    walk.proof.refuse('engines differ on whether a table expression is meant', table)
    return null
  }
  const columns = tableColumns(walk, scope, tableNode, alias)
  const rule = table === null ? undefined : walk.tables.get(table)
  if (columns === null || table === null || rule === undefined) return null
  scope.sources.push({ alias, columns })
  return { table, alias, rule, columns }
}

/** Reads what is set in tables: never a shard key, and nothing of a reference table. */
export function readAssignments(
  walk: Walk,
  updates: readonly ColumnUpdateNode[],
  scope: Scope,
  targets: readonly WriteTarget[],
): void {
  for (const { column, value, kind } of updates) {
    walk.expression(value, scope, kind, 'value')
    const node = bare(column)
    const name = columnName(ReferenceNode.is(node) ? node.column : node)
    if (name === null) walk.proof.refuse('what is set is no plain column')
    const of = ReferenceNode.is(node) && node.table ? tableName(node.table) : undefined
    for (const target of targets)
      if (of === undefined || of === target.alias) checkAssigned(walk, name, target)
    if (of !== undefined && !targets.some(({ alias }) => alias === of))
      walk.proof.refuse('what is set is no column of the table')
  }
}

/** A reference table is the same everywhere, and a row stays on its shard. */
function checkAssigned({ proof }: Walk, name: string | null, { table, rule }: WriteTarget): void {
  if (rule.kind === 'reference') proof.refuse('a reference table is read-only here', table)
  if (rule.kind === 'sharded' && name?.toLowerCase() === rule.shardKey.toLowerCase())
    proof.refuse('the shard key of a row cannot be changed', table, rule.shardKey)
}
