import type { CheckedTables, KeyType } from '../tables.ts'
import {
  type DeleteQueryNode,
  type InsertQueryNode,
  is,
  type OperationNode,
  type SelectQueryNode,
  type UpdateQueryNode,
} from '../tree.ts'
import { readDelete, readUpdate } from './change.ts'
import { readExpression } from './expressions.ts'
import { readInsert } from './insert.ts'
import { strangeness } from './known-tree.ts'
import type { ParameterPlaces } from './predicate.ts'
import { type KeySource, type Occurrence, Proof } from './proof.ts'
import { type KeyColumns, noColumns, Scope } from './scope.ts'
import { readSelect } from './select.ts'
import type { Walk } from './walk.ts'

/** Why a statement is not routed. */
export interface Refusal {
  readonly table: string | null
  readonly key: string | null
  readonly reason: string
}

/** A value that all that the statement is about hangs on. */
export interface KeyOfPlan {
  readonly keyType: KeyType
  /** A table that it pins, for messages. */
  readonly table: string
  readonly key: string
  readonly source: KeySource
}

/** A table in a statement, and whether it is proven that one shard has all of it that matters. */
export interface TableInPlan extends Pick<Occurrence, 'table' | 'alias' | 'kind' | 'key'> {
  /** Null for a table that is not sharded. */
  readonly isConfined: boolean | null
  /** Why it is not confined; null if it is, or need not be. */
  readonly reason: string | null
}

/**
 * Where statements of one shape go. `key`: to the shard of these keys' values. `global`: to the global database.
 * `anywhere`: tables that every database has, or none. It depends on no value of a parameter.
 */
export type Plan = { readonly tables: readonly TableInPlan[] } & (
  | { readonly to: 'key'; readonly keys: readonly KeyOfPlan[] }
  | { readonly to: 'global' }
  | { readonly to: 'anywhere'; readonly readsOnly: boolean }
  | { readonly to: 'nowhere'; readonly refusal: Refusal }
)

/** Says where statements of this shape go. The tree must not have a node in two places. */
export function planOf(root: OperationNode, places: ParameterPlaces, tables: CheckedTables): Plan {
  const unknown = strangeness(root)
  if (unknown !== null) return { to: 'nowhere', tables: [], refusal: refusalOf(unknown) }
  const proof = readStatement(root, places, tables)
  return judge(root, proof)
}

/** Reads a statement whose parts are all known; gives what it says. */
export function readStatement(
  root: OperationNode,
  places: ParameterPlaces,
  tables: CheckedTables,
  seen: NonNullable<Walk['seen']> = () => {},
): Proof {
  const proof = new Proof()
  const walk: Walk = {
    seen,
    proof,
    places,
    tables,
    query: (node, outer) => readQuery(walk, node, outer),
    expression: (node, scope, parent, field) => readExpression(walk, node, scope, parent, field),
  }
  readQuery(walk, root, new Scope(null))
  return proof
}

function readQuery(walk: Walk, node: OperationNode, outer: Scope): KeyColumns {
  if (is<SelectQueryNode>(node, 'SelectQueryNode')) return readSelect(walk, node, outer)
  if (is<InsertQueryNode>(node, 'InsertQueryNode')) return readInsert(walk, node, outer)
  if (is<UpdateQueryNode>(node, 'UpdateQueryNode')) return readUpdate(walk, node, outer)
  if (is<DeleteQueryNode>(node, 'DeleteQueryNode')) return readDelete(walk, node, outer)
  const what = node.kind === 'RawNode' ? 'a raw statement' : `a ${node.kind}`
  walk.proof.refuse(`${what} is not routed by itself: say where it goes with withRoute, onShard or onGlobal`)
  return noColumns
}

function judge(root: OperationNode, proof: Proof): Plan {
  const confined = proof.confined()
  const tables = proof.occurrences.map(({ table, alias, kind, key, term }): TableInPlan => {
    const isConfined = term === null ? null : confined.has(term)
    const reason =
      term === null || isConfined ? null : (proof.remarkOn(term) ?? 'nothing pins it to one shard')
    return { table, alias, kind, key, isConfined, reason }
  })
  const sharded = tables.filter(({ kind }) => kind === 'sharded')
  const global = tables.find(({ kind }) => kind === 'global')
  const free = sharded.find(({ isConfined }) => isConfined === false)
  const refusal =
    proof.refusals[0] ??
    (global && sharded.length > 0 ? refusalOf('global and sharded tables do not mix', global.table) : null) ??
    (free ? refusalOf(free.reason ?? '', free.table, free.key) : null)
  if (refusal !== null) return { to: 'nowhere', tables, refusal }
  if (sharded.length > 0) return { to: 'key', tables, keys: keysOf(proof) }
  if (global) return { to: 'global', tables }
  return { to: 'anywhere', tables, readsOnly: tables.length > 0 && locksNothing(root) }
}

function keysOf(proof: Proof): KeyOfPlan[] {
  const sharded = proof.occurrences.filter(({ kind }) => kind === 'sharded')
  return proof.keys().map(({ term, source }) => {
    const { table = '', key = null } = sharded.find((one) => one.term === term) ?? sharded[0] ?? {}
    return { keyType: term.keyType, table, key: key ?? '', source }
  })
}

function locksNothing(root: OperationNode): boolean {
  return is<SelectQueryNode>(root, 'SelectQueryNode') && !root.endModifiers?.length
}

function refusalOf(reason: string, table: string | null = null, key: string | null = null): Refusal {
  return { table, key, reason }
}
