import type { InsertQueryNode, OnConflictNode, OperationNode } from '../tree.ts'
import { columnName } from './names.ts'
import type { Scope } from './scope.ts'
import { readAssignments, type WriteTarget } from './target.ts'
import type { Walk } from './walk.ts'

/**
 * Reads what an INSERT does about rows that are there already. A conflict is seen on the row's own shard only: that is
 * all of them if the unique key contains the shard key.
 */
export function readConflict(
  walk: Walk,
  node: InsertQueryNode,
  scope: Scope,
  target: WriteTarget | null,
): void {
  const { onConflict, onDuplicateKey } = node
  if (target?.rule.kind === 'reference')
    walk.proof.refuse('a reference table is read-only here', target.table)
  if (target?.rule.kind === 'sharded' && !target.rule.uniqueKeysContainShardKey) {
    const { shardKey } = target.rule
    const reason = untold(node, shardKey)
    if (reason !== null) walk.proof.refuse(reason, target.table, shardKey)
  }
  const targets = target ? [target] : []
  if (onConflict) readOnConflict(walk, onConflict, scope, targets)
  if (onDuplicateKey) readAssignments(walk, onDuplicateKey.updates, scope, targets)
}

/** Why it is not known that a conflict is on the row's shard; null if it is. */
function untold(node: InsertQueryNode & { readonly ignore?: boolean }, shardKey: string): string | null {
  if (node.orAction || node.replace || node.ignore || node.onDuplicateKey) {
    return 'it acts on a conflict of any unique key, of which some may not contain the shard key'
  }
  const { onConflict } = node
  if (!onConflict || (onConflict.columns ?? []).some((column) => columnName(column) === shardKey)) return null
  return 'the conflict target does not contain the shard key'
}

function readOnConflict(
  walk: Walk,
  node: OnConflictNode,
  scope: Scope,
  targets: readonly WriteTarget[],
): void {
  const parts: readonly (OperationNode | undefined)[] = [
    node.indexExpression,
    node.indexWhere,
    node.updateWhere,
  ]
  for (const part of parts) if (part) walk.expression(part, scope, node.kind, 'indexExpression')
  readAssignments(walk, node.updates ?? [], scope, targets)
}
