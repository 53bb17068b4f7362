import {
  type Executor,
  InvalidArgumentError,
  isShardError,
  type Place,
  type Places,
  type Route,
  type UnroutedError,
} from '@shard/core'
import type { TransactionSettings } from 'kysely'
import { callSite, moment } from './call-site.ts'
import { nameOf } from './driver/pinned-transaction.ts'
import type { Task } from './driver/task.ts'
import { ExecutorRouting } from './executor-routing.ts'
import type { RoutingCompiler } from './routing/compiler.ts'
import { type Decision, type Locating, Router } from './routing/router.ts'
import { placeOfRoute, type RoutingHandle } from './routing-handle.ts'
import { type Shadow, ShadowFindings, type ShadowOptions } from './shadow.ts'
import type { CheckedTables } from './tables.ts'
import type { CompiledQuery, QueryId, RootOperationNode } from './tree.ts'

/** Runs every statement as it is on one database, and tells of those that sharding would refuse. */
export class ShadowRouting implements RoutingHandle {
  readonly executor: Executor & Partial<Places>
  readonly router: Router
  readonly #plain: ExecutorRouting
  readonly #locating: Locating
  readonly #findings: ShadowFindings
  readonly #moments = new WeakMap<CompiledQuery, Error>()

  constructor(
    executor: Executor & Partial<Places>,
    tables: CheckedTables,
    compiler: RoutingCompiler,
    shadow: Shadow | ShadowOptions,
  ) {
    const { report, locator } = typeof shadow === 'function' ? { report: shadow } : shadow
    if (typeof report !== 'function')
      throw new InvalidArgumentError('shadow is a function that is told of findings')
    this.executor = executor
    this.#plain = new ExecutorRouting({ executor, router: null, route: undefined })
    this.#locating = {
      ...(executor.int64 === false ? { int64: false } : {}),
      placeOf: locator
        ? (route) => located(route, (key) => locator.locate(key))
        : (route) => guessed(executor, route),
    }
    this.router = new Router(tables, this.#locating, compiler)
    this.#findings = new ShadowFindings(report)
  }

  compile(node: RootOperationNode, queryId: QueryId): CompiledQuery {
    const compiled = this.#plain.compile(node, queryId)
    this.#moments.set(compiled, moment())
    return compiled
  }

  tell(queryId: QueryId, route: Route): void {
    this.#plain.tell(queryId, route)
  }

  toldTo(compiled: CompiledQuery): Route | undefined {
    return this.#plain.toldTo(compiled)
  }

  taskOf(compiled: CompiledQuery): Task {
    const task: Task = { statement: compiled, route: undefined, place: 'global', freedom: 'none' }
    const decision = this.#decide(compiled)
    if (decision === null) return task
    const crossing = (pinned: Place): void =>
      this.#note(compiled, 'CROSS_SHARD_TRANSACTION', `the transaction is on ${this.#named(pinned)}`)
    return { ...task, shadow: { ...decision, crossing } }
  }

  settingsOf(settings: TransactionSettings): string | null {
    return this.#plain.settingsOf(settings)
  }

  #decide(compiled: CompiledQuery): Pick<Decision, 'place' | 'freedom'> | null {
    const route = this.#plain.toldTo(compiled)
    if (route !== undefined) return { place: placeOfRoute(this.#locating, route), freedom: 'none' }
    try {
      return this.router.decide(compiled)
    } catch (error) {
      if (!isShardError(error)) throw error
      const { table = null, key = null, reason = error.message } = error as Partial<UnroutedError>
      if (isShardError(error, 'CROSS_SHARD'))
        this.#note(compiled, 'CROSS_SHARD', 'it has keys of more than one shard')
      else this.#note(compiled, 'UNROUTED', reason, table, key)
      return null
    }
  }

  #named(place: Place): string {
    return place === 'global' ? nameOf(place) : 'another shard'
  }

  #note(
    compiled: CompiledQuery,
    code: 'UNROUTED' | 'CROSS_SHARD' | 'CROSS_SHARD_TRANSACTION',
    reason: string,
    table: string | null = null,
    key: string | null = null,
  ): void {
    const taken = this.#moments.get(compiled)
    this.#findings.add({
      code,
      table,
      key,
      reason,
      shape: compiled.sql,
      site: taken ? callSite(taken) : null,
    })
  }
}

/** Where a sharded executor would go; on one database, a number that tells keys apart. */
function guessed(executor: Partial<Places>, route: Route | undefined): Place {
  return executor.placeOf
    ? executor.placeOf(route)
    : located(route, (key) => Number(BigInt.asUintN(52, key ^ (key >> 52n))))
}

function located(route: Route | undefined, locate: (key: bigint) => number): Place {
  if (route === undefined || route === 'global') return 'global'
  return 'key' in route ? locate(route.key) : route.shard
}
