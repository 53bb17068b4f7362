import { checkInteger, show } from './argument.ts'
import type { Catalog } from './catalog.ts'
import { ClosedError } from './driver-errors.ts'
import { CrossShardTransactionError, InvalidArgumentError, LayoutMismatchError } from './errors.ts'
import type { CallOptions, DialectName, Executor, Result, Route, StatementSource } from './executor.ts'
import type { ShardId } from './id.ts'
import type { ShardLocator } from './locator.ts'
import { checkFamily } from './naming.ts'
import type { Place, Places } from './place.ts'

/** What a sharded executor is made of. */
export interface ShardedExecutorOptions {
  readonly catalog: Catalog
  readonly locator: ShardLocator
  readonly family: string
}

/** The largest shard number of any codec: `shardBits` is at most 24. */
const MAX_SHARD = 2 ** 24 - 1

/**
 * One executor over a fleet: each call goes to the database that its route names, and to the global
 * one without a route. A shard that the catalog lacks is `UNKNOWN_SHARD`, never another database.
 */
export class ShardedExecutor implements Executor, Places {
  readonly family: string
  readonly dialect: DialectName
  readonly int64?: false
  readonly #catalog: Catalog
  readonly #locator: ShardLocator
  #closing: Promise<void> | null = null

  /** @throws LayoutMismatchError if a database cannot carry the locator's ids; one opened later is refused then */
  constructor({ catalog, locator, family }: ShardedExecutorOptions) {
    this.#catalog = catalog
    this.#locator = locator
    this.family = checkFamily(family)
    this.dialect = catalog.global.dialect
    if (catalog.int64 === false) {
      this.#checkWidth('global', catalog)
      this.int64 = false
    }
  }

  get idsOnly(): boolean {
    return this.#locator.idsOnly ?? false
  }

  execute<Row>(statement: StatementSource, options: CallOptions = {}): Promise<Result<Row>> {
    try {
      return this.#at(this.placeOf(options.route)).execute<Row>(statement, { signal: options.signal })
    } catch (error) {
      return Promise.reject(error)
    }
  }

  async *stream<Row>(statement: StatementSource, options: CallOptions = {}): AsyncIterable<Row> {
    yield* this.#at(this.placeOf(options.route)).stream<Row>(statement, { signal: options.signal })
  }

  /** One database: the route's. Statements inside may name no other; without a route they go to it. */
  async transaction<T>(work: (tx: Executor) => Promise<T>, options: CallOptions = {}): Promise<T> {
    const place = this.placeOf(options.route)
    const pin = (tx: Executor): Executor => this.#pinned(tx, place)
    return this.#at(place).transaction((tx) => work(pin(tx)), { signal: options.signal })
  }

  /** @throws InvalidArgumentError for what is no route, or a key that the locator refuses */
  placeOf(route: Route | undefined): Place {
    if (route === undefined || route === 'global') return 'global'
    if (typeof route === 'object' && route !== null) {
      if ('shard' in route) {
        if (!('key' in route)) return checkInteger('a shard number', route.shard, 0, MAX_SHARD)
      } else if ('key' in route) return this.#locator.locate(route.key)
    }
    throw new InvalidArgumentError(`a route is 'global', { shard } or { key }, not ${show(route)}`)
  }

  shardIds(): readonly ShardId[] {
    return this.#catalog.shardIds()
  }

  close(): Promise<void> {
    this.#closing ??= this.#catalog.close()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #at(place: Place): Executor {
    if (this.#closing) throw new ClosedError('the executor')
    const executor = place === 'global' ? this.#catalog.global : this.#catalog.shard(place)
    this.#checkWidth(place, executor)
    return executor
  }

  #checkWidth(place: Place, { int64 }: { readonly int64?: false }): void {
    if (int64 !== false || this.#locator.idBits === 53) return
    throw new LayoutMismatchError(`${nameOf(place)} cannot carry 64-bit ids: use a codec with idBits 53`)
  }

  /** A transaction's executor, which refuses every other database than its own. */
  #pinned(tx: Executor, place: Place): Executor {
    const check = (options: CallOptions = {}): CallOptions => {
      const asked = options.route === undefined ? place : this.placeOf(options.route)
      if (asked !== place) throw new CrossShardTransactionError(nameOf(place), nameOf(asked))
      return { signal: options.signal }
    }
    const pin = (inner: Executor): Executor => this.#pinned(inner, place)
    return {
      dialect: tx.dialect,
      family: this.family,
      async execute<Row>(statement: StatementSource, options?: CallOptions) {
        return tx.execute<Row>(statement, check(options))
      },
      async *stream<Row>(statement: StatementSource, options?: CallOptions) {
        yield* tx.stream<Row>(statement, check(options))
      },
      async transaction<T>(work: (tx: Executor) => Promise<T>, options?: CallOptions) {
        return tx.transaction((inner) => work(pin(inner)), check(options))
      },
      shardIds: () => this.shardIds(),
      close: () => tx.close(),
      [Symbol.asyncDispose]: () => tx.close(),
    }
  }
}

function nameOf(place: Place): string {
  return place === 'global' ? 'the global database' : `shard ${place}`
}
