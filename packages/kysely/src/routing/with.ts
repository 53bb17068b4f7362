import {
  type CommonTableExpressionNode,
  eachChild,
  is,
  type OperationNode,
  type SelectQueryNode,
  type WithNode,
} from '../tree.ts'
import { readArm } from './arm.ts'
import { columnName, tableName } from './names.ts'
import { unionOf } from './outputs.ts'
import type { Term } from './proof.ts'
import { type KeyColumns, Scope, sameButForCase } from './scope.ts'
import type { Walk } from './walk.ts'

/** Reads a WITH clause; gives the scope in which its table expressions can be named. */
export function readWith(walk: Walk, node: WithNode, outer: Scope): Scope {
  const scope = new Scope(outer)
  const names = node.expressions.map(({ name }) => tableName(name.table))
  for (const [i, name] of names.entries()) {
    if (name === null || names.indexOf(name) < i)
      walk.proof.refuse('a table expression has no plain name of its own')
    else scope.expressions.set(name, 'later')
  }
  for (const [i, expression] of node.expressions.entries()) {
    const name = names[i]
    if (name === null || name === undefined) continue
    scope.expressions.set(name, readExpressionOf(walk, expression, name, node.recursive === true, scope))
  }
  return scope
}

function readExpressionOf(
  walk: Walk,
  { name: { columns }, expression }: CommonTableExpressionNode,
  name: string,
  mayRecur: boolean,
  scope: Scope,
): KeyColumns {
  const given = columns?.map((column) => columnName(column))
  const named = mentions(expression, name)
  if (named === 'unclear') walk.proof.refuse('names differ by case only', name)
  if (named === 'yes' && mayRecur) return readRecursion(walk, expression, name, given, scope)
  // Without RECURSIVE its own name is still the table's; where an engine sees a recursion in it, it refuses.
  scope.expressions.delete(name)
  return renamed(walk.query(expression, scope), given)
}

/** The columns under the names that the WITH clause gives them. */
function renamed(columns: KeyColumns, names: readonly (string | null)[] | undefined): KeyColumns {
  if (names === undefined) return columns
  const named = new Map<string, Term>()
  for (const [i, name] of names.entries()) {
    const [term, ...others] = columns.listed?.[i] ?? []
    if (name !== null && term && 'keyType' in term && others.length === 0) named.set(name, term)
  }
  return { named, listed: columns.listed, star: null }
}

/**
 * Inside of the recursive queries, a column of what was found so far is taken to hold confined keys because the
 * first query gives such; that is good only if each recursive query gives them too.
 */
function readRecursion(
  walk: Walk,
  body: OperationNode,
  name: string,
  names: readonly (string | null)[] | undefined,
  outer: Scope,
): KeyColumns {
  const { proof } = walk
  if (!is<SelectQueryNode>(body, 'SelectQueryNode') || !body.setOperations) {
    proof.refuse('a recursion that is no UNION is not routed', name)
    return { named: new Map(), listed: null, star: null }
  }
  const { with: inside, setOperations, orderBy, limit, offset, ...first } = body
  if (mentions(first, name) !== 'no') proof.refuse('the first query of a recursion names the recursion', name)
  if (inside || orderBy || limit || offset)
    proof.refuse('a recursion with a WITH, an ORDER BY or a LIMIT of its own is not routed', name)
  const base = walk.query(first as SelectQueryNode, outer)
  const assumed = new Map<string, Term>()
  const columns = renamed(base, names).named
  for (const [column, term] of columns) {
    const soFar: Term = { keyType: term.keyType }
    proof.pass(term, soFar)
    assumed.set(column, soFar)
  }
  outer.expressions.set(name, { named: assumed, listed: null, star: null })
  const arms = setOperations.map(({ expression }) => readArm(walk, expression, outer))
  for (const [column, soFar] of assumed) {
    const place = base.listed?.findIndex((origin) => origin?.[0] === columns.get(column)) ?? -1
    proof.assume(
      soFar,
      arms.map((arm) => arm.listed?.[place]),
    )
  }
  const whole = unionOf([base, ...arms], (terms) => {
    const column: Term = { keyType: terms[0]?.keyType ?? 'id' }
    proof.meet(terms, column)
    return column
  })
  return renamed(whole, names)
}

/** Is a table of this name used anywhere below? Unclear if one that differs by its case is. */
function mentions(node: OperationNode, name: string): 'yes' | 'no' | 'unclear' {
  const table = tableName(node)
  if (table === name) return 'yes'
  let found: 'yes' | 'no' | 'unclear' = table !== null && sameButForCase(table, name) ? 'unclear' : 'no'
  eachChild(node, (child) => {
    const below = mentions(child, name)
    if (below === 'unclear' || (below === 'yes' && found === 'no')) found = below
  })
  return found
}
