/**
 * Retries and circuit breakers around an executor, by the library cockatiel (an optional peer).
 */
import type { CallOptions, Executor, Result, StatementSource } from './executor.ts'
import { type Place, type Places, placeOf } from './place.ts'
import { Guard } from './resilience/guard.ts'
import { checkPolicy, type ResiliencePolicy } from './resilience/policy.ts'

export type { ResiliencePolicy } from './resilience/policy.ts'

/**
 * Makes a call again when its error is retryable and says that nothing was applied, and stops calling a shard
 * that is down: after `breakAfter` failures of its connections one after the other, calls to it are `BUSY` at
 * once, until one that is let through after `halfOpenAfterMs` succeeds. Each shard, and the global database,
 * has a breaker of its own.
 *
 * What may have been applied (`unknown`) is never made again. A transaction is made again whole, so its work
 * runs more than once and must have no effect elsewhere. A stream is made again only before its first row.
 * Inside a transaction nothing is retried.
 * @throws InvalidArgumentError for a policy out of range
 */
export function resilient(
  executor: Executor & Partial<Places>,
  policy: ResiliencePolicy = {},
): Executor & Places {
  return new ResilientExecutor(executor, checkPolicy(policy))
}

class ResilientExecutor implements Executor, Places {
  readonly dialect: Executor['dialect']
  readonly family: string | null
  readonly int64?: false
  readonly #inner: Executor & Partial<Places>
  readonly #policy: Required<ResiliencePolicy>
  readonly #guards = new Map<Place, Guard>()

  constructor(inner: Executor & Partial<Places>, policy: Required<ResiliencePolicy>) {
    this.#inner = inner
    this.#policy = policy
    this.dialect = inner.dialect
    this.family = inner.family
    if (inner.int64 === false) this.int64 = false
  }

  async execute<Row>(statement: StatementSource, options?: CallOptions): Promise<Result<Row>> {
    return this.#guard(options).run(() => this.#inner.execute<Row>(statement, options), options?.signal)
  }

  async *stream<Row>(statement: StatementSource, options?: CallOptions): AsyncIterable<Row> {
    const open = async (): Promise<Opened<Row>> => {
      const rows = this.#inner.stream<Row>(statement, options)[Symbol.asyncIterator]()
      return { rows, first: await rows.next() }
    }
    const { rows, first } = await this.#guard(options).run(open, options?.signal)
    if (first.done) return
    try {
      yield first.value
      yield* { [Symbol.asyncIterator]: () => rows }
    } finally {
      await rows.return?.()
    }
  }

  async transaction<T>(work: (tx: Executor) => Promise<T>, options?: CallOptions): Promise<T> {
    const guard = this.#guard(options)
    const blameless = (tx: Executor): Promise<T> => guard.blameless(() => work(tx))
    return guard.run(() => this.#inner.transaction(blameless, options), options?.signal)
  }

  get idsOnly(): boolean {
    return this.#inner.idsOnly ?? false
  }

  placeOf(route: CallOptions['route']): Place {
    return placeOf(this.#inner, { route })
  }

  shardIds(): readonly number[] {
    return this.#inner.shardIds()
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #guard(options: CallOptions | undefined): Guard {
    const place = placeOf(this.#inner, options)
    const guard = this.#guards.get(place) ?? new Guard(this.#policy)
    this.#guards.set(place, guard)
    return guard
  }
}

/** A stream that has given its first row, or its end. */
interface Opened<Row> {
  readonly rows: AsyncIterator<Row>
  readonly first: IteratorResult<Row>
}
