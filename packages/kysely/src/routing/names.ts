import { IdentifierNode, type OperationNode, type TableNode } from '../tree.ts'

/** A column's name; null for `*` and for what is no plain column. */
export function columnName(node: OperationNode): string | null {
  if (node.kind !== 'ColumnNode') return null
  return identifier((node as OperationNode & { column: OperationNode }).column)
}

/** A table's name or alias as it is written; null if it names a schema. */
export function tableName(node: OperationNode): string | null {
  if (node.kind !== 'TableNode') return null
  const { schema, identifier: name } = (node as TableNode).table
  return schema === undefined ? identifier(name) : null
}

/** An identifier's text; null if it is anything else. */
export function identifier(node: OperationNode): string | null {
  return IdentifierNode.is(node) && typeof node.name === 'string' ? node.name : null
}
