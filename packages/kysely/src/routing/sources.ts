import { type AliasNode, is, type JoinNode, type OperationNode, type SelectQueryNode } from '../tree.ts'
import { identifier, tableName } from './names.ts'
import type { Facts } from './predicate.ts'
import { Conditions, spread } from './predicate.ts'
import type { Proof, Term } from './proof.ts'
import { bare } from './raw-text.ts'
import { type KeyColumns, noColumns, type Scope, sameButForCase } from './scope.ts'
import type { Walk } from './walk.ts'

/** An item of a FROM clause, without its alias. */
interface Item {
  readonly node: OperationNode
  /** What the rest of the statement calls it; null if it has no name. */
  readonly alias: string | null
}

/** Takes an item of FROM, of a JOIN or of USING apart. */
export function itemOf(node: OperationNode): Item {
  const item = bare(node)
  if (!is<AliasNode>(item, 'AliasNode')) return { node: item, alias: tableName(item) }
  return { node: bare(item.node), alias: identifier(item.alias) }
}

/** Adds the items of FROM and the joins to a scope, and what the joins' conditions say. */
export function readSources(
  walk: Walk,
  scope: Scope,
  froms: readonly OperationNode[],
  joins: readonly JoinNode[],
  kept: 'none' | 'target' = 'none',
): void {
  for (const node of [...froms, ...joins.map(({ table }) => table)]) {
    const { alias } = itemOf(node)
    if (alias !== null) scope.reserved.add(alias)
  }
  for (const from of froms) addSource(walk, scope, from, false)
  for (const join of joins) readJoin(walk, scope, join, kept)
}

/** Of a join: the sources before it, and the one that it adds. */
type Sides = (before: readonly Term[], joined: readonly Term[]) => readonly Term[]

const inner: Sides = (before, joined) => [...before, ...joined]
const left: Sides = (_, joined) => joined
const right: Sides = (before) => before
const none: Sides = () => []

interface JoinRule {
  /** The sources whose rows are not there unless the condition is true. */
  readonly confined: Sides
  /** The sources in whose place there can be nulls. */
  readonly filled: Sides
  readonly isLateral: boolean
}

const joinRules: Readonly<Record<string, JoinRule>> = {
  InnerJoin: { confined: inner, filled: none, isLateral: false },
  LeftJoin: { confined: left, filled: left, isLateral: false },
  RightJoin: { confined: right, filled: right, isLateral: false },
  FullJoin: { confined: none, filled: inner, isLateral: false },
  CrossJoin: { confined: inner, filled: none, isLateral: false },
  LateralInnerJoin: { confined: inner, filled: none, isLateral: true },
  LateralLeftJoin: { confined: left, filled: left, isLateral: true },
  LateralCrossJoin: { confined: inner, filled: none, isLateral: true },
}

function readJoin(
  walk: Walk,
  scope: Scope,
  { joinType, table, on }: JoinNode,
  kept: 'none' | 'target',
): void {
  const rule = joinRules[joinType]
  if (!rule) {
    walk.proof.refuse(`a ${joinType} is not routed`)
    return
  }
  const before = termsOf(scope)
  addSource(walk, scope, table, rule.isLateral)
  const joined = termsOf(scope).filter((term) => !before.includes(term))
  walk.proof.fill(rule.filled(before, joined))
  if (!on) return
  walk.expression(on, scope, 'JoinNode', 'on')
  // What a write's target is joined to, engines see in two ways.
  const confinable = rule.confined === right && kept === 'target' ? [] : rule.confined(before, joined)
  const facts = new Conditions(scope, walk.places, walk.proof).read(
    (on as OperationNode & { on: OperationNode }).on,
  )
  applyFacts(walk.proof, facts, confinable)
}

/** The key columns of a scope's own sources. */
export function termsOf(scope: Scope): Term[] {
  return scope.sources.flatMap(({ columns }) => [...columns.named.values()])
}

/** Takes in what a condition says of the columns that it confines; of others, it says nothing. */
export function applyFacts(proof: Proof, facts: Facts, confinable: readonly Term[]): void {
  const confines = new Set(confinable)
  for (const [term, sources] of spread(facts)) {
    if (confines.has(term)) proof.pin(term, sources)
    else proof.remark(term, 'the ON of an outer join does not confine the side that it keeps')
  }
  for (const [a, b] of facts.equal) {
    if (confines.has(b)) proof.pass(a, b)
    if (confines.has(a)) proof.pass(b, a)
  }
}

/** Adds one item; a lateral one sees those before it. */
function addSource(walk: Walk, scope: Scope, from: OperationNode, isLateral: boolean): void {
  const { node, alias } = itemOf(from)
  const columns = columnsOf(walk, scope, node, alias, isLateral)
  if (columns === null) return
  if (alias === null) walk.proof.refuse('an item of FROM has no plain name')
  else if (scope.sources.some((other) => other.alias === alias || sameButForCase(other.alias, alias)))
    walk.proof.refuse(`the name ${alias} is given twice`)
  else scope.sources.push({ alias, columns })
}

function columnsOf(
  walk: Walk,
  scope: Scope,
  node: OperationNode,
  alias: string | null,
  isLateral: boolean,
): KeyColumns | null {
  if (node.kind === 'TableNode') return tableColumns(walk, scope, node, alias)
  const query = node.kind === 'ParensNode' ? (node as OperationNode & { node: OperationNode }).node : node
  if (is<SelectQueryNode>(query, 'SelectQueryNode')) {
    return walk.query(query, isLateral ? scope : (scope.outer ?? scope))
  }
  walk.proof.refuse(
    node.kind === 'RawNode' ? 'a raw table is not routed' : `a ${node.kind} in FROM is not routed`,
  )
  return null
}

/** The key column of a table, or those of the table expression that has taken its name. */
export function tableColumns(
  walk: Walk,
  scope: Scope,
  node: OperationNode,
  alias: string | null,
): KeyColumns | null {
  const { proof, tables } = walk
  const table = tableName(node)
  if (table === null) {
    proof.refuse('a table of another schema is not routed')
    return null
  }
  const expression = scope.expression(table)
  if (expression === 'unclear') proof.refuse('engines differ on which table expression this is', table)
  if (expression === 'unclear') return null
  return expression ? referenced(proof, expression) : declaredColumns(walk, table, alias ?? table, tables)
}

function declaredColumns(
  { proof }: Walk,
  table: string,
  alias: string,
  tables: Walk['tables'],
): KeyColumns | null {
  const rule = tables.get(table)
  if (rule === undefined) {
    proof.refuse('the table is not declared', table)
    return null
  }
  if (rule.kind !== 'sharded') {
    proof.occurrences.push({ table, alias, kind: rule.kind, key: null, term: null })
    return noColumns
  }
  const term: Term = { keyType: rule.keyType }
  proof.occurrences.push({ table, alias, kind: 'sharded', key: rule.shardKey, term })
  return { named: new Map([[rule.shardKey, term]]), listed: null, star: table }
}

/** A table expression may be named more than once: each time its columns are others, with the same values. */
function referenced(proof: Proof, { named }: KeyColumns): KeyColumns {
  const columns = [...named].map(([name, term]): [string, Term] => {
    const copy: Term = { keyType: term.keyType }
    proof.pass(term, copy)
    if (proof.isFilled(term)) proof.fill([copy])
    return [name, copy]
  })
  return { named: new Map(columns), listed: null, star: null }
}
