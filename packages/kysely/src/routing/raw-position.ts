import type { Reading } from './raw-text.ts'

/**
 * Where a raw fragment stands. `enclosed`: parentheses or the clause end what it can mean, and it stays as it is.
 * Elsewhere the compiler puts parentheses around it, and it runs only if that changes nothing. `whole`: it is all
 * that stands there. `and`, `or`, `not`, `comparison`, `single`: what stands beside it binds so.
 */
export type Position = 'enclosed' | 'whole' | 'and' | 'or' | 'not' | 'comparison' | 'single'

const positions: Readonly<Record<string, Position>> = {
  'AggregateFunctionNode.aggregated': 'enclosed',
  'AliasNode.node': 'whole',
  'AndNode.left': 'and',
  'AndNode.right': 'and',
  'BinaryOperationNode.leftOperand': 'comparison',
  'BinaryOperationNode.rightOperand': 'comparison',
  'CaseNode.else': 'whole',
  'CaseNode.value': 'whole',
  'CastNode.dataType': 'enclosed',
  'CastNode.expression': 'whole',
  'ColumnUpdateNode.value': 'whole',
  'Computation.leftOperand': 'single',
  'Computation.operand': 'single',
  'Computation.rightOperand': 'single',
  'FunctionNode.arguments': 'enclosed',
  'GroupByItemNode.groupBy': 'enclosed',
  'HavingNode.having': 'whole',
  'LimitNode.limit': 'enclosed',
  'OffsetNode.offset': 'enclosed',
  'OnNode.on': 'whole',
  'OrNode.left': 'or',
  'OrNode.right': 'or',
  'OrderByItemNode.direction': 'enclosed',
  'OrderByItemNode.orderBy': 'enclosed',
  'ParensNode.node': 'enclosed',
  'PartitionByItemNode.partitionBy': 'enclosed',
  'SelectQueryNode.distinctOn': 'enclosed',
  'SelectionNode.selection': 'whole',
  'TupleNode.values': 'whole',
  'UnaryOperationNode.operand': 'not',
  'ValueListNode.values': 'whole',
  'WhenNode.condition': 'whole',
  'WhenNode.result': 'whole',
  'WhereNode.where': 'whole',
}

/** What becomes of a raw fragment in a field of a node. Null: it could be anything, and is not routed. */
export function positionOf(parent: string, field: string): Position | null {
  return positions[`${parent}.${field}`] ?? null
}

/** Words that bind looser than a comparison, or could: what is beside the fragment would take a part of it. */
const looseWords = ['or', 'xor', 'and', 'not', 'between', 'in', 'is', 'like', 'ilike', 'isnull', 'notnull']
const comparing = /[<>=!~&|^]/

/** Would parentheses around a fragment change what it means where it stands? */
export function changesMeaning(position: Position, { isAtom, top }: Reading): boolean {
  const has = (...words: string[]): boolean => words.some((word) => top.words.includes(word))
  const count = (word: string): number => top.words.filter((one) => one === word).length
  if (isAtom || position === 'enclosed' || position === 'whole') return false
  if (position === 'single') return true
  // MySQL takes || for OR.
  if (has('xor') || top.signs.includes('||') || top.signs.includes(':=')) return true
  if (position === 'or') return count('between') > count('and')
  if (position === 'and') return has('or') || count('between') > count('and')
  if (position === 'not') return has('or') || count('between') !== count('and')
  return has(...looseWords) || comparing.test(top.signs)
}
