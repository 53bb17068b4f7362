import {
  type BinaryOperationNode,
  is,
  type OperationNode,
  type OperatorNode,
  type UnaryOperationNode,
} from '../tree.ts'

type Sides = { readonly left: OperationNode; readonly right: OperationNode }

/** Nodes whose text is one operand, whatever stands beside it; a raw fragment is made one by the compiler. */
const operands: ReadonlySet<string> = new Set([
  'AggregateFunctionNode',
  'CaseNode',
  'CastNode',
  'ColumnNode',
  'FunctionNode',
  'JSONReferenceNode',
  'ParensNode',
  'PrimitiveValueListNode',
  'RawNode',
  'ReferenceNode',
  'SelectQueryNode',
  'TupleNode',
  'ValueListNode',
  'ValueNode',
])

/** Binds tighter than a comparison. */
export const arithmetic: ReadonlySet<string> = new Set([
  '+',
  '-',
  '*',
  '/',
  '%',
  '^',
  '&',
  '|',
  '#',
  '<<',
  '>>',
  '->',
  '->>',
])

/** Binds looser than AND in MySQL, or as loosely. */
export const loose: ReadonlySet<string> = new Set(['||', '&&'])

/**
 * Is a condition read by the database as one piece, with the same structure as its tree, when it stands between
 * ANDs? Kysely writes no parentheses of its own, so that `a || b` beside an AND is something else in MySQL.
 */
export function isContained(node: OperationNode): boolean {
  if (operands.has(node.kind)) return true
  if (is<OperationNode & Sides>(node, 'AndNode')) {
    const { left, right } = node as OperationNode & Sides
    return isContained(left) && isContained(right)
  }
  if (is<UnaryOperationNode>(node, 'UnaryOperationNode')) {
    return operatorOf(node.operator) === '-' ? isOperand(node.operand) : isContained(node.operand)
  }
  if (!is<BinaryOperationNode>(node, 'BinaryOperationNode')) return false
  const operator = operatorOf(node.operator)
  if (operator === null || loose.has(operator) || !isOperand(node.leftOperand)) return false
  return operator.startsWith('between') ? areBounds(node.rightOperand) : isOperand(node.rightOperand)
}

/** The operator's text; null if it is raw. */
export function operatorOf(node: OperationNode): string | null {
  return is<OperatorNode>(node, 'OperatorNode') ? node.operator : null
}

function isOperand(node: OperationNode): boolean {
  if (operands.has(node.kind)) return true
  if (is<UnaryOperationNode>(node, 'UnaryOperationNode')) {
    return operatorOf(node.operator) === '-' && isOperand(node.operand)
  }
  if (!is<BinaryOperationNode>(node, 'BinaryOperationNode')) return false
  return (
    arithmetic.has(operatorOf(node.operator) ?? '') &&
    isOperand(node.leftOperand) &&
    isOperand(node.rightOperand)
  )
}

function areBounds(node: OperationNode): boolean {
  if (node.kind !== 'AndNode') return false
  const { left, right } = node as OperationNode & Sides
  return isOperand(left) && isOperand(right)
}
