import {
  checkInteger,
  type Executor,
  hashKey,
  InvalidArgumentError,
  type Place,
  type Places,
  type Route,
} from '@shard/core'
import type { Kysely, MigrationLockOptions } from 'kysely'
import type { Dispatch } from './driver/executor-driver.ts'
import type { DialectParts } from './driver/parts.ts'
import type { Router } from './routing/router.ts'
import type { CompiledQuery, DialectAdapter, QueryId, RootOperationNode } from './tree.ts'

// biome-ignore lint/suspicious/noExplicitAny: any Kysely has one, whatever its tables are
export type AnyKysely = Kysely<any>

/** What a Kysely of ours is made of; it is found by the adapter that Kysely keeps. */
export interface RoutingHandle extends Dispatch {
  readonly executor: Executor & Partial<Places>
  /** Null if nothing is routed by its tables. */
  readonly router: Router | null
  /** Compiles a statement, routed or not. */
  compile(node: RootOperationNode, queryId: QueryId): CompiledQuery
  /** From now until it is compiled, this statement goes where it is told. */
  tell(queryId: QueryId, route: Route): void
  /** The route that a compiled statement was told. */
  toldTo(compiled: CompiledQuery): Route | undefined
}

/** Holds across copies of the package. */
const handle: unique symbol = Symbol.for('shard.kysely.routing') as never

type Handled = DialectAdapter & { readonly [handle]?: RoutingHandle }

/** An adapter that a Kysely of ours keeps, so that it can be known by it. */
export function handledAdapter(
  base: DialectAdapter,
  routing: RoutingHandle,
  parts: DialectParts,
): DialectAdapter {
  const { supportsCreateIfNotExists = true, supportsReturning = false, supportsOutput = false } = base
  const adapter = {
    supportsCreateIfNotExists,
    supportsTransactionalDdl: parts.transactionalDdl,
    supportsReturning,
    supportsOutput,
    // The executor keeps order itself; Kysely 0.29 would let one statement through at a time.
    supportsMultipleConnections: true,
    acquireMigrationLock: async (db: AnyKysely, options: MigrationLockOptions): Promise<void> => {
      // Without a transaction, each statement can be on another connection: nothing would be locked.
      if (parts.locksSession && !db.isTransaction)
        throw new InvalidArgumentError('the lock of migrations needs a session: use @shard/migrator')
      await base.acquireMigrationLock(db, options)
    },
    releaseMigrationLock: base.releaseMigrationLock.bind(base),
    [handle]: routing,
  }
  return adapter
}

/**
 * What a Kysely routes by.
 * @throws InvalidArgumentError if it is none of ours
 */
export function handleOf(db: AnyKysely): RoutingHandle {
  const routing = (db?.getExecutor?.().adapter as Handled | undefined)?.[handle]
  if (!routing) throw new InvalidArgumentError('a Kysely of kyselyOf or ShardDialect is expected')
  return routing
}

/** The place that a route leads to; errors as the executor's. */
export function placeOfRoute(executor: Partial<Places>, route: Route | undefined): Place {
  return executor.placeOf?.(route) ?? 'global'
}

/**
 * A route by a shard's number or a key; a text is hashed.
 * @throws InvalidArgumentError for a text where keys are ids and nothing else
 */
export function routeOf(executor: Partial<Places>, by: { shard: number } | { key: bigint | string }): Route {
  if ('shard' in by) return { shard: checkInteger('a shard number', by.shard, 0, 2 ** 24 - 1) }
  if (typeof by.key === 'bigint') return { key: by.key }
  if (executor.idsOnly)
    throw new InvalidArgumentError('the locator takes ids only: a route by text needs one that hashes')
  return { key: hashKey(by.key) }
}
