import type { CheckedRule } from '../tables.ts'
import { type InsertQueryNode, is, type OperationNode, type SelectQueryNode } from '../tree.ts'
import { readConflict } from './conflict.ts'
import { columnName } from './names.ts'
import { outputsOf } from './outputs.ts'
import { Conditions } from './predicate.ts'
import type { KeySource, Origin, Term } from './proof.ts'
import { type KeyColumns, noColumns, Scope } from './scope.ts'
import { targetOf } from './target.ts'
import type { Walk } from './walk.ts'
import { readWith } from './with.ts'

/** The sharded table that rows are put into. */
interface Target {
  readonly table: string
  readonly rule: Extract<CheckedRule, { kind: 'sharded' }>
  readonly term: Term
}

/** Reads an INSERT; gives the columns that it returns. */
export function readInsert(walk: Walk, node: InsertQueryNode, outer: Scope): KeyColumns {
  const base = node.with ? readWith(walk, node.with, outer) : outer
  const scope = new Scope(base)
  const { proof } = walk
  const found = node.into ? targetOf(walk, scope, node.into) : null
  if (node.into === undefined) proof.refuse('an INSERT without a table is not routed')
  const selected = readRows(walk, node, base)
  readConflict(walk, node, scope, found)
  for (const field of ['explain', 'orAction'] as const) {
    if (node[field]) walk.expression(node[field], scope, node.kind, field)
  }
  for (const part of node.endModifiers ?? []) walk.expression(part, scope, node.kind, 'endModifiers')
  const term = found?.columns.named.get(found.rule.kind === 'sharded' ? found.rule.shardKey : '')
  if (found?.rule.kind === 'sharded' && term) {
    placeRows(walk, node, { table: found.table, rule: found.rule, term }, selected, base)
  }
  const selections = node.returning?.selections ?? []
  for (const selection of selections) walk.expression(selection, scope, 'ReturningNode', 'selections')
  return outputsOf(selections, scope, new Conditions(scope, walk.places, proof), (inner) => inner)
}

/** Reads what is put in; gives the columns of a query. */
function readRows(walk: Walk, { values, kind }: InsertQueryNode, base: Scope): KeyColumns {
  if (values === undefined) return noColumns
  const query =
    values.kind === 'ParensNode' ? (values as OperationNode & { node: OperationNode }).node : values
  if (is<SelectQueryNode>(query, 'SelectQueryNode')) return walk.query(query, base)
  if (values.kind === 'ValuesNode') walk.expression(values, base, kind, 'values')
  else walk.proof.refuse(`a ${values.kind} that is inserted is not routed`)
  return noColumns
}

/** Pins the table by the key of each row that is put in. */
function placeRows(
  walk: Walk,
  node: InsertQueryNode,
  target: Target,
  selected: KeyColumns,
  base: Scope,
): void {
  const flaw = flawOf(walk, node, target, selected, base)
  if (flaw !== null) walk.proof.refuse(flaw, target.table, target.rule.shardKey)
}

/** Why the key of a row is not known; if it is, it pins the table. */
function flawOf(
  walk: Walk,
  node: InsertQueryNode,
  { rule, term }: Target,
  selected: KeyColumns,
  base: Scope,
): string | null {
  const names = (node.columns ?? []).map(columnName)
  const place = names.indexOf(rule.shardKey)
  const key = rule.shardKey.toLowerCase()
  if (names.filter((name) => name?.toLowerCase() === key).length > 1) return 'it is set twice'
  if (place === -1) return 'the row does not set it'
  if (node.values?.kind !== 'ValuesNode') {
    const origin = selected.listed?.[place] ?? null
    if (origin === null) return 'the inserted query does not give it as a value or a key'
    follow(walk, origin, term)
    return null
  }
  const { values } = node.values as OperationNode & { values: readonly OperationNode[] }
  const sources = values.map((row) => sourceIn(walk, row, place, base))
  if (sources.length === 0 || sources.includes(null)) return 'a row sets it to something that is no value'
  walk.proof.pin(term, sources as KeySource[])
  return null
}

function sourceIn(walk: Walk, row: OperationNode, place: number, base: Scope): KeySource | null {
  if (row.kind === 'PrimitiveValueListNode') {
    const first = walk.places.get(row)
    return first === undefined ? null : { parameter: first + place }
  }
  const { values } = row as OperationNode & { values?: readonly OperationNode[] }
  const value = row.kind === 'ValueListNode' ? values?.[place] : undefined
  return value ? new Conditions(base, walk.places, walk.proof).sourceOf(value) : null
}

/** The key is confined if all that it comes from is. */
function follow({ proof }: Walk, origin: Origin, term: Term): void {
  const parts = origin.map((part): Term => {
    if ('keyType' in part) return part
    const value: Term = { keyType: term.keyType }
    proof.pin(value, [part])
    return value
  })
  if (parts.every(({ keyType }) => keyType === term.keyType)) proof.meet(parts, term)
}
