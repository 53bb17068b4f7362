import { CrossShardError, type Place, UnroutedError } from '@shard/core'
import type { Compilable } from 'kysely'
import type { TableInPlan } from './routing/plan.ts'
import { type AnyKysely, handleOf, placeOfRoute } from './routing-handle.ts'

/** Where a statement would go, or why nowhere. */
export interface RouteExplanation {
  /** A shard's number or the global database; null if it would be refused. */
  readonly place: Place | null
  /** Why it would be refused; null if it would run. */
  readonly refusal: { readonly code: 'UNROUTED' | 'CROSS_SHARD'; readonly reason: string } | null
  /** True if it goes where it was told, and nothing is proven of it. */
  readonly isTold: boolean
  /** Each use of a declared table in the statement, in the order of reading. */
  readonly tables: readonly TableInPlan[]
  readonly sql: string
}

/**
 * Says where a statement would go, for each use of a table in it. Nothing is run: it works without a connection.
 * @throws InvalidArgumentError if the Kysely is none of ours, or a key is out of the locator's range
 */
export function explainRoute(db: AnyKysely, query: Compilable): RouteExplanation {
  const handle = handleOf(db)
  const compiled = query.compile()
  const told = handle.toldTo(compiled)
  const { router } = handle
  if (told !== undefined || router === null) {
    const place = placeOfRoute(handle.executor, told)
    return { place, refusal: null, isTold: true, tables: [], sql: compiled.sql }
  }
  const own = router.own(compiled)
  const explained = { isTold: false, tables: router.planOf(own).tables, sql: own.sql }
  try {
    return { ...explained, place: router.decide(own).place, refusal: null }
  } catch (error) {
    if (error instanceof UnroutedError)
      return { ...explained, place: null, refusal: { code: 'UNROUTED', reason: error.message } }
    if (error instanceof CrossShardError)
      return { ...explained, place: null, refusal: { code: 'CROSS_SHARD', reason: error.message } }
    throw error
  }
}
