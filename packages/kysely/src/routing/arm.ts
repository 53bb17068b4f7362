import type { OperationNode } from '../tree.ts'
import type { KeyColumns, Scope } from './scope.ts'
import type { Walk } from './walk.ts'

/** Reads one of the queries of a UNION, INTERSECT or EXCEPT. */
export function readArm(walk: Walk, expression: OperationNode, base: Scope): KeyColumns {
  const isParens = expression.kind === 'ParensNode'
  const node = isParens ? (expression as OperationNode & { node: OperationNode }).node : expression
  if (node.kind !== 'SelectQueryNode') walk.proof.refuse(`a ${node.kind} in a UNION is not routed`)
  return walk.query(node, base)
}
