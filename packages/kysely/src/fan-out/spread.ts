import { UnroutedError } from '@shard/core'
import { strangeness } from '../routing/known-tree.ts'
import { readStatement } from '../routing/plan.ts'
import { Conditions, type ParameterPlaces } from '../routing/predicate.ts'
import type { Proof, Term } from '../routing/proof.ts'
import { bare } from '../routing/raw-text.ts'
import type { Scope } from '../routing/scope.ts'
import type { CheckedTables } from '../tables.ts'
import type { OperationNode, SelectQueryNode } from '../tree.ts'
import { cannotCombine } from './select-parts.ts'

/** A query each of whose rows is made on one shard. */
export interface Spread {
  /** Does an expression mean the key that decides on which shard a row is made? */
  isKey(node: OperationNode): boolean
}

/**
 * Proves that each row of a query hangs on one row of a sharded table, and that all else in it is on that row's shard.
 * @throws UnroutedError if that is not so: then the answers of the shards are not the answer of one table
 */
export function spreadOf(root: SelectQueryNode, places: ParameterPlaces, tables: CheckedTables): Spread {
  const unknown = strangeness(root)
  if (unknown !== null) throw new UnroutedError(null, null, unknown)
  const seen: { scope: Scope | null } = { scope: null }
  const proof = readStatement(root, places, tables, (node, scope) => {
    if (node === root) seen.scope = scope
  })
  const [refusal] = proof.refusals
  if (refusal) throw new UnroutedError(refusal.table, refusal.key, refusal.reason)
  const { scope } = seen
  const anchors = scope ? anchorsOf(scope, proof) : []
  const anchor = anchors.find((term) => missing(proof, term) === undefined)
  if (anchor === undefined || scope === null) throw unspread(proof, anchors[0])
  const conditions = new Conditions(scope, places, proof)
  const keys = proof.confined([anchor])
  return {
    isKey: (node) => {
      const term = conditions.termOf(bare(node))
      return term === anchor || (term !== null && keys.has(term) && proof.confined([term]).has(anchor))
    },
  }
}

/** Keys of tables of which each row of the result has a row: not those that a join fills with nulls. */
function anchorsOf({ sources }: Scope, proof: Proof): Term[] {
  const keys = sources.flatMap(({ columns }) => [...columns.named.values()])
  return keys.filter((term) => !proof.isFilled(term))
}

function missing(proof: Proof, anchor: Term): Proof['occurrences'][number] | undefined {
  const reached = proof.confined([anchor])
  return proof.occurrences.find(
    ({ kind, term }) => kind === 'global' || (term !== null && !reached.has(term)),
  )
}

function unspread(proof: Proof, anchor: Term | undefined): UnroutedError {
  const table = anchor ? missing(proof, anchor) : undefined
  if (!table) return cannotCombine('no sharded table has a row in each row of the result')
  const reason = table.kind === 'global' ? 'global and sharded tables do not mix' : 'it is not joined by key'
  return new UnroutedError(table.table, table.key, reason)
}
