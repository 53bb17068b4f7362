import type { OrderBy } from '@shard/core'
import { columnName } from '../routing/names.ts'
import { bare, fragmentOf } from '../routing/raw-text.ts'
import {
  AliasNode,
  IdentifierNode,
  is,
  type OperationNode,
  type OrderByItemNode,
  type RawNode,
  ReferenceNode,
  SelectionNode,
  type SelectQueryNode,
} from '../tree.ts'
import { cannotCombine, isSameColumn, itemsOf } from './select-parts.ts'

/** The order of the merged rows, and what has to be selected for it besides. */
export interface MergeOrder {
  readonly orderBy: readonly OrderBy[]
  readonly added: readonly SelectionNode[]
  /** The names of what was added; rows are given without them. */
  readonly hidden: readonly string[]
}

/**
 * Reads ORDER BY. What is not a column of the result is added to it under a name of its own.
 * @throws UnroutedError for an order that cannot be had from values
 */
export function mergeOrderOf(node: SelectQueryNode, nullsInAscending: 'first' | 'last'): MergeOrder {
  const added: SelectionNode[] = []
  const hidden: string[] = []
  const orderBy = (node.orderBy?.items ?? []).map((item): OrderBy => {
    const { direction, nulls } = senseOf(item, nullsInAscending)
    const known = outputNamed(node, item.orderBy)
    if (known !== null) return { column: known, direction, nulls }
    const column = `shard_order_${hidden.length}`
    added.push(SelectionNode.create(AliasNode.create(item.orderBy, IdentifierNode.create(column)) as never))
    hidden.push(column)
    return { column, direction, nulls }
  })
  if (hidden.length > 0 && node.frontModifiers?.length)
    throw cannotCombine('DISTINCT rows are ordered by what is not selected')
  return { orderBy, added, hidden }
}

/** The direction of an item and the place of its nulls, as the engine has it. */
export function senseOf(
  { direction, nulls, collation, orderBy }: OrderByItemNode,
  nullsInAscending: 'first' | 'last',
): { direction: 'asc' | 'desc'; nulls: 'first' | 'last' } {
  const sense = direction === undefined ? 'asc' : wordOf(direction)
  if (sense !== 'asc' && sense !== 'desc') throw cannotCombine('a direction is neither asc nor desc')
  if (collation !== undefined) throw cannotCombine('an order by a collation; text is merged by its bytes')
  if (isNumber(bare(orderBy))) throw cannotCombine('an order by the number of a column')
  const inDescending = nullsInAscending === 'first' ? 'last' : 'first'
  return { direction: sense, nulls: nulls ?? (sense === 'asc' ? nullsInAscending : inDescending) }
}

function wordOf(node: OperationNode): string | null {
  if (!is<RawNode>(node, 'RawNode')) return null
  const { text, nodes } = fragmentOf(node)
  return nodes.length === 0 ? text.trim().toLowerCase() : null
}

/** `order by 1` means the first column; as a value it would mean nothing. */
function isNumber(node: OperationNode): boolean {
  if (node.kind === 'ValueNode') return true
  return is<RawNode>(node, 'RawNode') && /^[\s\d]*$/.test(fragmentOf(node).text)
}

/** The column of the result that an item of ORDER BY means; null if it has to be added. */
export function outputNamed(node: SelectQueryNode, orderBy: OperationNode): string | null {
  const target = bare(orderBy)
  const items = itemsOf(node.selections)
  const isQualified = ReferenceNode.is(target) && target.table !== undefined
  const name = columnName(ReferenceNode.is(target) ? target.column : target)
  const named = isQualified ? undefined : items.find((item) => item.name !== null && item.name === name)
  const same = items.find((item) => item.name !== null && isSameColumn(item.node, target))
  return (named ?? same)?.name ?? null
}
