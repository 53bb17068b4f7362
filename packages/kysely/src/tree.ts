import type { OperationNode } from 'kysely'

/*
 * The parts of Kysely's tree (0.28 and 0.29) that routing knows, all in this file. A node of another kind, or
 * one with a field that is not named here, is not routed: a newer Kysely is refused before it is misread.
 */
export {
  type AggregateFunctionNode,
  AliasNode,
  type AndNode,
  BinaryOperationNode,
  CaseNode,
  type ColumnUpdateNode,
  type CommonTableExpressionNode,
  type CompiledQuery,
  type DatabaseIntrospector,
  DefaultQueryCompiler,
  type DeleteQueryNode,
  type DialectAdapter,
  type FromNode,
  type FunctionNode,
  type GroupByNode,
  IdentifierNode,
  type InsertQueryNode,
  type JoinNode,
  MysqlAdapter,
  MysqlIntrospector,
  MysqlQueryCompiler,
  type OnConflictNode,
  OPERATORS,
  type OperationNode,
  OperatorNode,
  type OrderByItemNode,
  type OrderByNode,
  type OrNode,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type PrimitiveValueListNode,
  type QueryCompiler,
  type QueryId,
  type RawNode,
  ReferenceNode,
  type RootOperationNode,
  SelectAllNode,
  SelectionNode,
  type SelectModifierNode,
  type SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TableNode,
  type UnaryOperationNode,
  type UpdateQueryNode,
  ValueNode,
  WhenNode,
  type WithNode,
} from 'kysely'

/** The fields of each known node, by its kind. */
export const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  AggregateFunctionNode: ['func', 'aggregated', 'distinct', 'orderBy', 'withinGroup', 'filter', 'over'],
  AliasNode: ['node', 'alias'],
  AndNode: ['left', 'right'],
  BinaryOperationNode: ['leftOperand', 'operator', 'rightOperand'],
  CaseNode: ['value', 'when', 'else', 'isStatement'],
  CastNode: ['expression', 'dataType'],
  CollateNode: ['collation'],
  ColumnNode: ['column'],
  ColumnUpdateNode: ['column', 'value'],
  CommonTableExpressionNameNode: ['table', 'columns'],
  CommonTableExpressionNode: ['name', 'materialized', 'expression'],
  DataTypeNode: ['dataType'],
  DefaultInsertValueNode: [],
  DeleteQueryNode: [
    'from',
    'using',
    'joins',
    'where',
    'returning',
    'with',
    'orderBy',
    'limit',
    'explain',
    'endModifiers',
  ],
  ExplainNode: ['format', 'options'],
  FetchNode: ['rowCount', 'modifier'],
  FromNode: ['froms'],
  FunctionNode: ['func', 'arguments'],
  GroupByItemNode: ['groupBy'],
  GroupByNode: ['items'],
  HavingNode: ['having'],
  IdentifierNode: ['name'],
  InsertQueryNode: [
    'into',
    'columns',
    'values',
    'returning',
    'onConflict',
    'onDuplicateKey',
    'with',
    'ignore',
    'orAction',
    'replace',
    'explain',
    'defaultValues',
    'endModifiers',
  ],
  JoinNode: ['joinType', 'table', 'on'],
  JSONOperatorChainNode: ['operator', 'values'],
  JSONPathLegNode: ['type', 'value'],
  JSONPathNode: ['inOperator', 'pathLegs'],
  JSONReferenceNode: ['reference', 'traversal'],
  LimitNode: ['limit'],
  ListNode: ['items'],
  OffsetNode: ['offset'],
  OnConflictNode: [
    'columns',
    'constraint',
    'indexExpression',
    'indexWhere',
    'updates',
    'updateWhere',
    'doNothing',
  ],
  OnDuplicateKeyNode: ['updates'],
  OnNode: ['on'],
  OperatorNode: ['operator'],
  OrActionNode: ['action'],
  OrderByItemNode: ['orderBy', 'direction', 'nulls', 'collation'],
  OrderByNode: ['items'],
  OrNode: ['left', 'right'],
  OverNode: ['orderBy', 'partitionBy'],
  ParensNode: ['node'],
  PartitionByItemNode: ['partitionBy'],
  PartitionByNode: ['items'],
  PrimitiveValueListNode: ['values'],
  RawNode: ['sqlFragments', 'parameters'],
  ReferenceNode: ['column', 'table'],
  ReturningNode: ['selections'],
  SchemableIdentifierNode: ['schema', 'identifier'],
  SelectAllNode: [],
  SelectionNode: ['selection'],
  SelectModifierNode: ['modifier', 'rawModifier', 'of'],
  SelectQueryNode: [
    'from',
    'selections',
    'distinctOn',
    'joins',
    'groupBy',
    'orderBy',
    'where',
    'frontModifiers',
    'endModifiers',
    'limit',
    'offset',
    'with',
    'having',
    'explain',
    'setOperations',
    'fetch',
  ],
  SetOperationNode: ['operator', 'expression', 'all'],
  TableNode: ['table'],
  TupleNode: ['values'],
  UnaryOperationNode: ['operator', 'operand'],
  UpdateQueryNode: [
    'table',
    'from',
    'joins',
    'where',
    'updates',
    'returning',
    'with',
    'explain',
    'endModifiers',
    'limit',
    'orderBy',
  ],
  UsingNode: ['tables'],
  ValueListNode: ['values'],
  ValueNode: ['value', 'immediate'],
  ValuesNode: ['values'],
  WhenNode: ['condition', 'result'],
  WhereNode: ['where'],
  WithNode: ['expressions', 'recursive'],
}

/** Is it a node of the tree, and not a text, a flag or a value? */
export function isNode(thing: unknown): thing is OperationNode {
  return typeof thing === 'object' && thing !== null && 'kind' in thing && typeof thing.kind === 'string'
}

/** A node seen by its kind, so that a switch narrows it. */
export function is<T extends OperationNode>(node: OperationNode | undefined, kind: T['kind']): node is T {
  return node?.kind === kind
}

/** Calls `visit` with each node directly below, and the field that it is in. Values are not looked into. */
export function eachChild(node: OperationNode, visit: (child: OperationNode, field: string) => void): void {
  if (node.kind === 'ValueNode' || node.kind === 'PrimitiveValueListNode') return
  for (const field in node) {
    const value: unknown = node[field as keyof OperationNode]
    if (typeof value !== 'object' || value === null) continue
    if (Array.isArray(value)) {
      for (const item of value) if (isNode(item)) visit(item, field)
    } else if (isNode(value)) visit(value, field)
  }
}

/** A copy in which no node stands twice; values stay what they are. */
export function copyTree<T extends OperationNode>(node: T): T {
  if (node.kind === 'ValueNode' || node.kind === 'PrimitiveValueListNode') return { ...node }
  const copied = Object.entries(node).map(([field, value]) => [field, copyField(value)])
  return Object.fromEntries(copied) as T
}

function copyField(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyField)
  return isNode(value) ? copyTree(value) : value
}
