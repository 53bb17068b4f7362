import {
  type BinaryOperationNode,
  eachChild,
  is,
  type OperationNode,
  type RawNode,
  type UnaryOperationNode,
} from '../tree.ts'
import { arithmetic, loose, operatorOf } from './contained.ts'
import { changesMeaning, type Position, positionOf } from './raw-position.ts'
import { bare, type Fragment, fragmentOf, isJsonHelper, readText } from './raw-text.ts'
import type { Scope } from './scope.ts'
import type { Walk } from './walk.ts'

const writes: ReadonlySet<string> = new Set(['DeleteQueryNode', 'InsertQueryNode', 'UpdateQueryNode'])

/** Reads each sub-query of an expression in its scope, and checks its raw fragments. */
export function readExpression(
  walk: Walk,
  node: OperationNode,
  scope: Scope,
  parent: string,
  field: string,
): void {
  if (node.kind === 'SelectQueryNode') walk.query(node, scope)
  else if (is<RawNode>(node, 'RawNode')) readRaw(walk, node, scope, positionOf(parent, field))
  else if (writes.has(node.kind)) walk.proof.refuse('a write inside of another statement stands in WITH only')
  else {
    if (isInName(node)) walk.proof.refuse('IN with a name instead of a list reads a table in SQLite')
    eachChild(node, (child, name) => walk.expression(child, scope, contextOf(node), name))
  }
}

/** What may stand behind IN: something that has parentheses of its own. */
const lists: ReadonlySet<string> = new Set([
  'ParensNode',
  'PrimitiveValueListNode',
  'SelectQueryNode',
  'TupleNode',
  'ValueListNode',
])

function isInName(node: OperationNode): boolean {
  if (!is<BinaryOperationNode>(node, 'BinaryOperationNode')) return false
  const operator = operatorOf(node.operator)
  if (operator !== 'in' && operator !== 'not in') return false
  const right = bare(node.rightOperand)
  if (!is<RawNode>(right, 'RawNode')) return !lists.has(right.kind)
  return !/^\s*\(/.test(fragmentOf(right).text) && readText(fragmentOf(right).text).isAtom
}

/** Beside a sign that computes, only one operand is sure to stay one. */
function contextOf(node: OperationNode): string {
  const isSign = is<UnaryOperationNode>(node, 'UnaryOperationNode') && operatorOf(node.operator) !== 'not'
  const computes =
    is<BinaryOperationNode>(node, 'BinaryOperationNode') && !compares(operatorOf(node.operator))
  return isSign || computes ? 'Computation' : node.kind
}

function compares(operator: string | null): boolean {
  return operator !== null && !arithmetic.has(operator) && !loose.has(operator)
}

function readRaw(walk: Walk, raw: RawNode, scope: Scope, position: Position | null): void {
  const fragment = fragmentOf(raw)
  if (!isJsonHelper(fragment)) {
    const flaw = flawOf(fragment, position)
    if (flaw !== null) walk.proof.refuse(`a raw fragment is not routed: ${flaw}`)
  }
  for (const node of fragment.nodes) walk.expression(node, scope, 'RawNode', 'parameters')
}

function flawOf({ text, nodes }: Fragment, position: Position | null): string | null {
  if (position === null) return 'it stands where it could be anything'
  const reading = readText(text)
  if (reading.flaw !== null) return reading.flaw
  if (position !== 'enclosed' && reading.isList && !reading.isAtom) return 'it is a list'
  if (changesMeaning(position, reading))
    return 'what stands beside it would take a part of it: put parentheses around it'
  return nodes.some(({ kind }) => kind === 'TableNode') ? 'it names a table' : null
}
