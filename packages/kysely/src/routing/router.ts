import { CrossShardError, type Executor, type Place, type Places, UnroutedError } from '@shard/core'
import type { CheckedTables } from '../tables.ts'
import type { CompiledQuery, QueryId, RootOperationNode } from '../tree.ts'
import type { RoutingCompiler } from './compiler.ts'
import { keyValueOf } from './key-values.ts'
import { type KeyOfPlan, type Plan, planOf } from './plan.ts'

/**
 * Whether a statement can go elsewhere. `any`: every database gives the same answer. `loose`: it also has no part in
 * a transaction, since it only reads what nobody writes here.
 */
export type Freedom = 'none' | 'any' | 'loose'

/** Where one statement goes, and with which parameters. */
export interface Decision {
  readonly place: Place
  readonly parameters: readonly unknown[]
  readonly freedom: Freedom
}

/** How many shapes are remembered; a list of values of each length is a shape of its own. */
const MAX_PLANS = 5_000

/** What is compared with what is on one shard; the executor knows where keys live. */
export type Locating = Pick<Executor, 'int64'> & Partial<Places>

/**
 * Says where statements go. Plans are kept by shape, with literals and never with the values of parameters, so that
 * a value is judged each time it is given.
 */
export class Router {
  readonly tables: CheckedTables
  readonly #locating: Locating
  readonly #compiler: RoutingCompiler
  readonly #plans = new Map<string, Plan>()
  readonly #shapes = new WeakMap<CompiledQuery, string>()

  constructor(tables: CheckedTables, locating: Locating, compiler: RoutingCompiler) {
    this.tables = tables
    this.#locating = locating
    this.#compiler = compiler
  }

  /** Compiles a statement that is to be routed. */
  compile(node: RootOperationNode, queryId: QueryId): CompiledQuery {
    const compiled = this.#compiler.compileQuery(node, queryId)
    this.#shapes.set(compiled, this.#compiler.shape)
    return compiled
  }

  /** A statement as this router has compiled it; one of another compiler is compiled again. */
  own(compiled: CompiledQuery): CompiledQuery {
    return this.#shapes.has(compiled) ? compiled : this.compile(compiled.query, compiled.queryId)
  }

  /** Where statements of the same shape go. */
  planOf(statement: CompiledQuery): Plan {
    const compiled = this.own(statement)
    const shape = this.#shapes.get(compiled) as string
    const known = this.#plans.get(shape)
    if (known) return known
    const { root, places } = this.#compiler.locate(compiled.query, compiled.queryId)
    const plan = planOf(root, places, this.tables)
    if (this.#plans.size >= MAX_PLANS) this.#plans.delete(this.#plans.keys().next().value as string)
    this.#plans.set(shape, plan)
    return plan
  }

  /**
   * Where one statement goes.
   * @throws UnroutedError if that is not proven
   * @throws CrossShardError if its keys live on more than one shard
   */
  decide(statement: CompiledQuery): Decision {
    const { parameters } = statement
    const plan = this.planOf(statement)
    if (plan.to === 'nowhere') {
      const { table, key, reason } = plan.refusal
      throw new UnroutedError(table, key, reason)
    }
    if (plan.to === 'key') return this.#placeOf(plan.keys, parameters)
    if (plan.to === 'global') return { place: 'global', parameters, freedom: 'none' }
    return { place: 'global', parameters, freedom: plan.readsOnly ? 'loose' : 'any' }
  }

  #placeOf(keys: readonly KeyOfPlan[], given: readonly unknown[]): Decision {
    let parameters = given
    let last: bigint | null = null
    let place: Place | null = null
    for (const { keyType, table, key: column, source } of keys) {
      const isLiteral = 'literal' in source
      const value = isLiteral ? source.literal : given[source.parameter]
      const read = keyValueOf(keyType, value, isLiteral, this.#locating.int64 === false)
      if (typeof read === 'string') throw new UnroutedError(table, column, read)
      if (!isLiteral && read.value !== value) {
        if (parameters === given) parameters = [...given]
        ;(parameters as unknown[])[source.parameter] = read.value
      }
      if (read.key === last) continue
      last = read.key
      const found = this.#locating.placeOf?.({ key: read.key }) ?? 'global'
      if (place !== null && found !== place) throw crossing(place, found)
      place = found
    }
    if (place === null) throw new UnroutedError(null, null, 'no value says where it goes')
    return { place, parameters, freedom: 'none' }
  }
}

function crossing(...places: readonly Place[]): CrossShardError {
  const shards = places.filter((place) => place !== 'global').sort((a, b) => a - b)
  return new CrossShardError(shards, 'the keys of the statement live on more than one shard')
}
