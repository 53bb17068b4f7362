import { type DeleteQueryNode, is, type OperationNode, type UpdateQueryNode } from '../tree.ts'
import { outputsOf } from './outputs.ts'
import { Conditions } from './predicate.ts'
import { type KeyColumns, Scope } from './scope.ts'
import { applyFacts, itemOf, readSources, termsOf } from './sources.ts'
import { readAssignments, targetOf, type WriteTarget } from './target.ts'
import type { Walk } from './walk.ts'
import { readWith } from './with.ts'

/** Reads an UPDATE; gives the columns that it returns. */
export function readUpdate(walk: Walk, node: UpdateQueryNode, outer: Scope): KeyColumns {
  const scope = new Scope(node.with ? readWith(walk, node.with, outer) : outer)
  const { table } = node
  if (table === undefined) walk.proof.refuse('an UPDATE without a table is not routed')
  const tables = is<OperationNode & { items: readonly OperationNode[] }>(table, 'ListNode')
    ? itemsOf(table)
    : [table]
  const targets = targetsOf(walk, scope, tables)
  readSources(walk, scope, node.from?.froms ?? [], node.joins ?? [], 'target')
  readAssignments(walk, node.updates ?? [], scope, targets)
  return readRest(walk, node, scope)
}

/** Reads a DELETE; gives the columns that it returns. */
export function readDelete(walk: Walk, node: DeleteQueryNode, outer: Scope): KeyColumns {
  const scope = new Scope(node.with ? readWith(walk, node.with, outer) : outer)
  const targets = targetsOf(walk, scope, node.from.froms)
  for (const { table, rule } of targets) {
    if (rule.kind === 'reference') walk.proof.refuse('a reference table is read-only here', table)
  }
  // MySQL names the table again in USING.
  const using = (node.using?.tables ?? []).filter((table) => !isNamedAgain(table, targets))
  readSources(walk, scope, using, node.joins ?? [], 'target')
  return readRest(walk, node, scope)
}

function itemsOf(list: OperationNode): readonly OperationNode[] {
  return (list as OperationNode & { items: readonly OperationNode[] }).items
}

function targetsOf(walk: Walk, scope: Scope, tables: readonly (OperationNode | undefined)[]): WriteTarget[] {
  for (const table of tables) {
    const alias = table ? itemOf(table).alias : null
    if (alias !== null && scope.reserved.has(alias)) walk.proof.refuse(`the name ${alias} is given twice`)
    if (alias !== null) scope.reserved.add(alias)
  }
  return tables.flatMap((table) => (table ? (targetOf(walk, scope, table) ?? []) : []))
}

function isNamedAgain(using: OperationNode, targets: readonly WriteTarget[]): boolean {
  const { node, alias } = itemOf(using)
  return targets.some((target) => target.alias === alias && itemOf(node).alias === target.table)
}

function readRest(walk: Walk, node: UpdateQueryNode | DeleteQueryNode, scope: Scope): KeyColumns {
  const { where, returning, orderBy, limit, explain, endModifiers = [] } = node
  const conditions = new Conditions(scope, walk.places, walk.proof)
  const parts: readonly [OperationNode | undefined, string][] = [
    [where, 'where'],
    [orderBy, 'orderBy'],
    [limit, 'limit'],
    [explain, 'explain'],
    ...endModifiers.map((part): [OperationNode, string] => [part, 'endModifiers']),
    ...(returning?.selections ?? []).map((part): [OperationNode, string] => [part, 'selections']),
  ]
  for (const [part, field] of parts) if (part) walk.expression(part, scope, node.kind, field)
  if (where) applyFacts(walk.proof, conditions.read(where.where), termsOf(scope))
  return outputsOf(returning?.selections ?? [], scope, conditions, (term) => term)
}
