import { mixingIn } from '../routing/row-wise.ts'
import type { SelectQueryNode } from '../tree.ts'
import type { Question } from './question.ts'
import { cannotCombine, itemsOf } from './select-parts.ts'

/**
 * Are the shards' rows the rows of the answer, or figures that have to be added up first?
 * @throws UnroutedError if neither is so
 */
export function kindOf({ root, spread }: Question): 'rows' | 'figures' {
  const { selections = [], having, orderBy, groupBy, frontModifiers = [] } = root
  const { aggregates, neighbours } = mixingIn([...selections, having, orderBy, ...(groupBy?.items ?? [])])
  if (neighbours) throw cannotCombine('a window looks at rows of other shards')
  if (groupBy?.items.some((item) => spread.isKey(item.groupBy))) return 'rows'
  const isFigures = aggregates || groupBy !== undefined || having !== undefined
  if (isFigures && frontModifiers.length > 0) throw cannotCombine('DISTINCT figures')
  if (isFigures) return 'figures'
  if (frontModifiers.length > 0 && !givesKey(root, spread))
    throw cannotCombine('DISTINCT without the shard key')
  return 'rows'
}

/** Rows that give their key are not equal on two shards. */
function givesKey({ selections }: SelectQueryNode, spread: Question['spread']): boolean {
  return itemsOf(selections).some(({ node }) => spread.isKey(node))
}
