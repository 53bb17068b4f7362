import type { Executor, Places, Route } from '@shard/core'
import type { TransactionSettings } from 'kysely'
import { type DialectParts, partsOf } from './driver/parts.ts'
import type { Task } from './driver/task.ts'
import type { Router } from './routing/router.ts'
import { placeOfRoute, type RoutingHandle } from './routing-handle.ts'
import type { CompiledQuery, QueryCompiler, QueryId, RootOperationNode } from './tree.ts'

/** How the statements of one Kysely are compiled and where they go. */
export interface RoutingOptions {
  readonly executor: Executor & Partial<Places>
  /** Null: nothing is routed by its tables. */
  readonly router: Router | null
  /** Where statements go that are not told; only without a router. */
  readonly route: Route | undefined
}

/** Compiles and dispatches: those that were told a route as they are, the others as the router has them. */
export class ExecutorRouting implements RoutingHandle {
  readonly executor: Executor & Partial<Places>
  readonly router: Router | null
  readonly #parts: DialectParts
  readonly #plain: QueryCompiler
  readonly #route: Route | undefined
  readonly #told = new WeakMap<QueryId, Route>()
  readonly #routes = new WeakMap<CompiledQuery, Route>()

  constructor({ executor, router, route }: RoutingOptions) {
    this.executor = executor
    this.router = router
    this.#route = route
    this.#parts = partsOf[executor.dialect]
    this.#plain = new this.#parts.Compiler()
  }

  compile(node: RootOperationNode, queryId: QueryId): CompiledQuery {
    const route = this.#told.get(queryId)
    if (route === undefined) {
      return this.router ? this.router.compile(node, queryId) : this.#plain.compileQuery(node, queryId)
    }
    // A raw builder keeps its id wherever it is run: what it was told holds for one time.
    this.#told.delete(queryId)
    const compiled = this.#plain.compileQuery(node, queryId)
    this.#routes.set(compiled, route)
    return compiled
  }

  tell(queryId: QueryId, route: Route): void {
    this.#told.set(queryId, route)
  }

  toldTo(compiled: CompiledQuery): Route | undefined {
    return this.#routes.get(compiled)
  }

  taskOf(compiled: CompiledQuery): Task {
    const route = this.#routes.get(compiled) ?? (this.router ? undefined : this.#route)
    if (route !== undefined || this.router === null) {
      return { statement: compiled, route, place: placeOfRoute(this.executor, route), freedom: 'none' }
    }
    const own = this.router.own(compiled)
    const { place, parameters, freedom } = this.router.decide(own)
    return {
      statement: { sql: own.sql, parameters },
      route: place === 'global' ? (freedom === 'none' ? place : undefined) : { shard: place },
      place,
      freedom,
    }
  }

  settingsOf(settings: TransactionSettings): string | null {
    return this.#parts.settings(settings)
  }
}
