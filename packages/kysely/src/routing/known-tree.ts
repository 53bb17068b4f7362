import { eachChild, fieldsOf, OPERATORS, type OperationNode } from '../tree.ts'
import { readText } from './raw-text.ts'

type Fields = Readonly<Record<string, unknown>>

/** A field's value may only be one that cannot mean more than its field. */
const texts: Readonly<Record<string, (value: unknown) => boolean>> = {
  'AggregateFunctionNode.func': isFunctionName,
  'DataTypeNode.dataType': (value) => /^[\w ]+(?:\(\d+(?:, ?\d+)?\))?$/.test(String(value)),
  'ExplainNode.format': (value) => /^\w+$/.test(String(value)),
  'FetchNode.modifier': (value) => value === 'only' || value === 'with ties',
  'FunctionNode.func': isFunctionName,
  'JSONPathLegNode.value': (value) => /^[\w $.-]*$/.test(String(value)),
  'OperatorNode.operator': (value) => (OPERATORS as readonly unknown[]).includes(value),
  'OrActionNode.action': (value) => /^[a-z]+$/.test(String(value)),
  'OrderByItemNode.nulls': (value) => value === 'first' || value === 'last',
  'SelectModifierNode.modifier': (value) => /^[A-Za-z]+$/.test(String(value)),
  'SetOperationNode.operator': (value) => ['union', 'intersect', 'except'].includes(String(value)),
}

/** `count`, or `pg_catalog.count`; not one that reads tables by name. */
function isFunctionName(value: unknown): boolean {
  return typeof value === 'string' && /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)?$/.test(value) && !readText(value).flaw
}

/** Why a tree cannot be routed because of what it is made of; null if each part of it is known. */
export function strangeness(node: OperationNode): string | null {
  const reason = strangeNode(node)
  if (reason !== null) return reason
  let below: string | null = null
  eachChild(node, (child) => {
    below ??= strangeness(child)
  })
  return below
}

function strangeNode(node: OperationNode): string | null {
  const fields = Object.hasOwn(fieldsOf, node.kind) ? fieldsOf[node.kind] : undefined
  if (fields === undefined) return `a ${node.kind} is not routed`
  for (const field in node) {
    const value: unknown = node[field as keyof OperationNode]
    if (field === 'kind' || value === undefined) continue
    if (!fields.includes(field)) return `${node.kind}.${field} is not routed`
    const allows = texts[`${node.kind}.${field}`]
    if (allows && !(typeof value !== 'object' && allows(value)))
      return `${node.kind}.${field} cannot be ${JSON.stringify(value)}`
  }
  return node.kind === 'ValueNode' ? strangeLiteral(node as unknown as Fields) : null
}

/** A literal is written into the statement: one with a backslash is read in two ways. */
function strangeLiteral({ immediate, value }: Fields): string | null {
  if (immediate !== true || value === null || typeof value === 'boolean' || typeof value === 'bigint')
    return null
  if (typeof value === 'number') return Number.isFinite(value) ? null : 'a literal is not a finite number'
  if (typeof value === 'string' && !/[\\\0]/.test(value)) return null
  return 'a literal has a backslash, or is neither text nor a number'
}
