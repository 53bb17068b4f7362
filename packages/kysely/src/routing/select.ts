import { type OperationNode, ReferenceNode, type SelectQueryNode } from '../tree.ts'
import { readArm } from './arm.ts'
import { columnName } from './names.ts'
import { itemsOf, outputsOf, unionOf } from './outputs.ts'
import { Conditions } from './predicate.ts'
import type { Term } from './proof.ts'
import { bare } from './raw-text.ts'
import { mixingIn } from './row-wise.ts'
import { type KeyColumns, Scope } from './scope.ts'
import { applyFacts, readSources, termsOf } from './sources.ts'
import type { Walk } from './walk.ts'
import { readWith } from './with.ts'

type Field = keyof SelectQueryNode

/** Clauses of which only the sub-queries and fragments matter. */
const clauses: readonly Field[] = [
  'distinctOn',
  'groupBy',
  'having',
  'limit',
  'offset',
  'fetch',
  'frontModifiers',
  'endModifiers',
  'explain',
]

/** Reads a query and the queries that are put under it. */
export function readSelect(walk: Walk, node: SelectQueryNode, outer: Scope): KeyColumns {
  const base = node.with ? readWith(walk, node.with, outer) : outer
  const { setOperations = [] } = node
  const cutsOff = [node.limit, node.offset, node.fetch].some((part) => part !== undefined)
  if (setOperations.length === 0) return readOne(walk, node, base, cutsOff)
  const first = readOne(walk, node, base, false)
  const others = setOperations.map(({ expression }) => readArm(walk, expression, base))
  return unionOf([first, ...others], (terms) => {
    const whole: Term = { keyType: terms[0]?.keyType ?? 'id' }
    walk.proof.meet(terms, whole)
    if (terms.some((term) => walk.proof.isFilled(term))) walk.proof.fill([whole])
    // A filter on the whole is one on each part, unless rows are counted off before.
    if (!cutsOff) for (const term of terms) walk.proof.pass(whole, term)
    return whole
  })
}

function readOne(walk: Walk, node: SelectQueryNode, base: Scope, cutsOff: boolean): KeyColumns {
  const scope = new Scope(base)
  const { proof, places } = walk
  readSources(walk, scope, node.from?.froms ?? [], node.joins ?? [])
  const conditions = new Conditions(scope, places, proof)
  if (node.where) {
    walk.expression(node.where, scope, node.kind, 'where')
    applyFacts(proof, conditions.read(node.where.where), termsOf(scope))
  }
  for (const selection of node.selections ?? []) walk.expression(selection, scope, node.kind, 'selections')
  for (const field of clauses) readClause(walk, node, field, scope)
  // What orders a UNION are its own columns.
  readClause(walk, node, 'orderBy', node.setOperations ? base : scope)
  walk.seen?.(node, scope)
  const canFilter = filterOf(node, conditions, cutsOff)
  return outputsOf(node.selections ?? [], scope, conditions, (term) => {
    const column: Term = { keyType: term.keyType }
    proof.pass(term, column)
    if (proof.isFilled(term)) proof.fill([column])
    if (canFilter(term)) proof.pass(column, term)
    return column
  })
}

function readClause(walk: Walk, node: SelectQueryNode, field: Field, scope: Scope): void {
  const value = node[field]
  for (const part of (Array.isArray(value) ? value : [value]) as (OperationNode | undefined)[]) {
    if (part !== undefined) walk.expression(part, scope, node.kind, field)
  }
}

/**
 * Is a filter on a column of the result one on the column inside? Not where rows are counted off, folded or
 * compared with each other first, unless all that are have the same key.
 */
function filterOf(node: SelectQueryNode, conditions: Conditions, cutsOff: boolean): (term: Term) => boolean {
  const { selections = [], groupBy, having, orderBy, distinctOn } = node
  const { aggregates, neighbours } = mixingIn([...selections, having, orderBy, ...(groupBy?.items ?? [])])
  if (cutsOff || distinctOn !== undefined || neighbours) return () => false
  if (groupBy === undefined) return () => !aggregates && having === undefined
  const items = itemsOf(selections)
  const keys = groupBy.items.map(({ groupBy: node }) =>
    isRenamed(node, items) ? null : conditions.termOf(node),
  )
  return (term) => keys.includes(term)
}

/** Engines differ on whether GROUP BY means a column or what the select list calls so. */
function isRenamed(node: OperationNode, items: ReturnType<typeof itemsOf>): boolean {
  const target = bare(node)
  const name = columnName(ReferenceNode.is(target) ? target.column : target)?.toLowerCase()
  return items.some(
    (item) => 'node' in item && item.name?.toLowerCase() === name && !isColumn(item.node, name),
  )
}

function isColumn(node: OperationNode, name: string | undefined): boolean {
  return columnName(ReferenceNode.is(node) ? node.column : node)?.toLowerCase() === name
}
