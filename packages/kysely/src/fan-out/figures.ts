import { bare } from '../routing/raw-text.ts'
import {
  type AggregateFunctionNode,
  AliasNode,
  BinaryOperationNode,
  CaseNode,
  IdentifierNode,
  is,
  type OperationNode,
  OperatorNode,
  ReferenceNode,
  SelectionNode,
  type SelectQueryNode,
  ValueNode,
  WhenNode,
} from '../tree.ts'
import { cannotCombine, isSameColumn, itemsOf } from './select-parts.ts'

/** A column of a result of figures, and what it is of the shards' figures. */
export interface FigureColumn {
  readonly name: string
  readonly kind: 'group' | 'rows' | 'count' | 'sum' | 'min' | 'max' | 'avg'
  /** The column of the rows that are added up; empty for the number of rows. */
  readonly column: string
}

/** Figures, and the query of the rows that they are of. */
export interface Figures {
  readonly rows: SelectQueryNode
  readonly columns: readonly FigureColumn[]
  readonly groupBy: readonly string[]
}

const kinds: ReadonlySet<string> = new Set(['count', 'sum', 'min', 'max', 'avg'])

/**
 * Takes a query of figures apart: into the rows, and how figures are made of them.
 * @throws UnroutedError for figures that cannot be made of the shards' own
 */
export function figuresOf(node: SelectQueryNode): Figures {
  if (node.having) throw cannotCombine('HAVING without the shard key in GROUP BY')
  const groups = (node.groupBy?.items ?? []).map(({ groupBy }) => groupBy)
  const selections = groups.map((group, i) => named(group, `g${i}`))
  const columns = itemsOf(node.selections).map(({ name, node: item }, i): FigureColumn => {
    if (name === null) throw cannotCombine('a figure without a name')
    const at = groups.findIndex((group) => isSameColumn(group, item))
    if (at !== -1) return { name, kind: 'group', column: `g${at}` }
    const figure = figureOf(item)
    if (figure.of === null) return { name, kind: 'rows', column: '' }
    const column = `a${i}`
    selections.push(named(figure.kind === 'count' ? presence(figure.of) : figure.of, column))
    return { name, kind: figure.kind, column }
  })
  if (selections.length === 0) selections.push(named(ValueNode.createImmediate(1), 'g'))
  const { orderBy, groupBy, limit, offset, ...rest } = node
  return { rows: { ...rest, selections }, columns, groupBy: groups.map((_, i) => `g${i}`) }
}

function named(node: OperationNode, name: string): SelectionNode {
  return SelectionNode.create(AliasNode.create(node, IdentifierNode.create(name)) as never)
}

interface Figure {
  readonly kind: Exclude<FigureColumn['kind'], 'group' | 'rows'>
  /** Null for the number of rows. */
  readonly of: OperationNode | null
}

function figureOf(node: OperationNode): Figure {
  if (!is<AggregateFunctionNode>(node, 'AggregateFunctionNode'))
    throw cannotCombine('a column that is neither a figure nor in GROUP BY')
  const { func, aggregated, distinct, orderBy, withinGroup, filter, over } = node
  const kind = func.toLowerCase()
  const [of] = aggregated
  if (!kinds.has(kind) || of === undefined || aggregated.length > 1)
    throw cannotCombine(`the function ${func}`)
  if (distinct) throw cannotCombine(`${kind} of distinct values`)
  if (orderBy || withinGroup || filter || over) throw cannotCombine(`${kind} with a clause of its own`)
  return { kind: kind as Figure['kind'], of: isStar(of) ? null : of }
}

/** `*`, or `table.*`, in whatever Kysely wraps it. */
function isStar(node: OperationNode): boolean {
  const target = bare(node)
  if (is<SelectionNode>(target, 'SelectionNode')) return isStar(target.selection)
  return (
    target.kind === 'SelectAllNode' || (ReferenceNode.is(target) && target.column.kind === 'SelectAllNode')
  )
}

/** 1 for a value and 0 for none: their sum counts the values. */
function presence(of: OperationNode): OperationNode {
  const isNull = BinaryOperationNode.create(of, OperatorNode.create('is'), ValueNode.createImmediate(null))
  const when = WhenNode.cloneWithResult(WhenNode.create(isNull), ValueNode.createImmediate(0))
  return CaseNode.cloneWith(CaseNode.cloneWithWhen(CaseNode.create(), when), {
    else: ValueNode.createImmediate(1),
  })
}
