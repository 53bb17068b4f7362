import type { CheckedTables } from '../tables.ts'
import type { OperationNode } from '../tree.ts'
import type { ParameterPlaces } from './predicate.ts'
import type { Proof } from './proof.ts'
import type { KeyColumns, Scope } from './scope.ts'

/** What every part of the reading of a statement has at hand. */
export interface Walk {
  readonly proof: Proof
  readonly places: ParameterPlaces
  readonly tables: CheckedTables
  /** Reads a query, or a write in a WITH clause; gives its columns. */
  query(node: OperationNode, outer: Scope): KeyColumns
  /** Reads the sub-queries and raw fragments in a field of a node. */
  expression(node: OperationNode, scope: Scope, parent: string, field: string): void
  /** Is told of each query when its FROM and its conditions have been read. */
  seen?(node: OperationNode, scope: Scope): void
}
