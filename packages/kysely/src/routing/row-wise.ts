import {
  type AggregateFunctionNode,
  eachChild,
  type FunctionNode,
  is,
  type OperationNode,
  type RawNode,
} from '../tree.ts'
import { fragmentOf, isJsonHelper, readText } from './raw-text.ts'
import { scalarFunctions } from './scalar-functions.ts'

/** What expressions do beyond computing a value from one row. */
export interface Mixing {
  /** Do they fold rows into one? */
  readonly aggregates: boolean
  /** Do they look at other rows, or may they? */
  readonly neighbours: boolean
}

/** What is in expressions, without their sub-queries, which are statements of their own. */
export function mixingIn(nodes: readonly (OperationNode | undefined)[]): Mixing {
  const found = { aggregates: false, neighbours: false }
  const look = (node: OperationNode): void => {
    if (node.kind === 'SelectQueryNode') return
    if (is<AggregateFunctionNode>(node, 'AggregateFunctionNode')) {
      if (node.over === undefined) found.aggregates = true
      else found.neighbours = true
    }
    if (is<FunctionNode>(node, 'FunctionNode') && !scalarFunctions.has(node.func.toLowerCase()))
      found.aggregates = true
    if (is<RawNode>(node, 'RawNode')) lookAtRaw(node, found)
    eachChild(node, look)
  }
  for (const node of nodes) if (node !== undefined) look(node)
  return found
}

function lookAtRaw(raw: RawNode, found: { aggregates: boolean; neighbours: boolean }): void {
  const fragment = fragmentOf(raw)
  if (isJsonHelper(fragment)) return
  const { words, calls } = readText(fragment.text)
  if (['over', 'limit', 'window'].some((word) => words.has(word))) found.neighbours = true
  if ([...calls].some((name) => !scalarFunctions.has(name))) found.aggregates = true
}
