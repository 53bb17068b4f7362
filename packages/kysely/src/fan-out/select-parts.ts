import { InvalidArgumentError, UnroutedError } from '@shard/core'
import { columnName, identifier, tableName } from '../routing/names.ts'
import { bare } from '../routing/raw-text.ts'
import {
  type AliasNode,
  is,
  type OperationNode,
  ReferenceNode,
  type SelectionNode,
  type SelectQueryNode,
  type ValueNode,
} from '../tree.ts'

/** Says that shards' answers cannot be put together to one. */
export function cannotCombine(what: string): UnroutedError {
  return new UnroutedError(null, null, `the answers of many shards cannot be combined: ${what}`)
}

/** An item of a select list with its name; null where the engine makes it up, or for `*`. */
export interface SelectItem {
  readonly name: string | null
  readonly node: OperationNode
}

/** The items of a select list. */
export function itemsOf(selections: readonly SelectionNode[] = []): SelectItem[] {
  return selections.map(({ selection }) => {
    const node = bare(selection)
    if (is<AliasNode>(node, 'AliasNode')) return { name: identifier(node.alias), node: bare(node.node) }
    return { name: ReferenceNode.is(node) ? columnName(node.column) : columnName(node), node }
  })
}

/** Do two nodes refer to one column in so many words? */
export function isSameColumn(a: OperationNode, b: OperationNode): boolean {
  const [x, y] = [pathOf(a), pathOf(b)]
  return x !== null && x === y
}

/** `table.column` as it is written; null for anything but a column. */
function pathOf(node: OperationNode): string | null {
  const target = bare(node)
  if (!ReferenceNode.is(target)) return columnName(target)
  const name = columnName(target.column)
  const table = target.table ? tableName(target.table) : ''
  return name === null || table === null ? null : JSON.stringify([table, name])
}

/** What a query says of how many rows it wants. */
export interface Cut {
  readonly limit: number | null
  readonly offset: number
}

/** @throws InvalidArgumentError for a limit that is no value */
export function cutOf({ limit, offset }: SelectQueryNode): Cut {
  return {
    limit: limit ? countOf('limit', limit.limit) : null,
    offset: offset ? countOf('offset', offset.offset) : 0,
  }
}

function countOf(name: string, node: OperationNode): number {
  const target = bare(node)
  const value = is<ValueNode>(target, 'ValueNode') ? Number(target.value as number) : Number.NaN
  if (Number.isSafeInteger(value) && value >= 0) return value
  throw new InvalidArgumentError(`the ${name} of a fan-out is a whole number`)
}
