import type { CallOptions, Executor, Result, StatementSource } from './executor.ts'
import { Call, type CallHooks, type CallStart } from './instrument/call.ts'
import { type Place, type Places, placeOf } from './place.ts'

/**
 * Tells hooks of each call on an executor, and of each call in its transactions: one span per call, with the
 * shard it went to. The attributes are OpenTelemetry's stable ones for databases; literals in the SQL are
 * replaced and parameters left out unless `values` is set, as they may hold natural keys. A hook that throws
 * or rejects breaks no call.
 *
 * A call starts when its statement is spelled for the engine that will run it, before it waits for a connection.
 * Around `resilient`, it is one span for all attempts; inside it, one for each.
 */
export function instrument(executor: Executor & Partial<Places>, hooks: CallHooks): Executor & Places {
  return new InstrumentedExecutor(executor, hooks, null)
}

class InstrumentedExecutor implements Executor, Places {
  readonly dialect: Executor['dialect']
  readonly family: string | null
  readonly int64?: false
  readonly #inner: Executor & Partial<Places>
  readonly #hooks: CallHooks
  /** Where a transaction's executor is. */
  readonly #place: Place | null

  constructor(inner: Executor & Partial<Places>, hooks: CallHooks, place: Place | null) {
    this.#inner = inner
    this.#hooks = hooks
    this.#place = place
    this.dialect = inner.dialect
    this.family = inner.family
    if (inner.int64 === false) this.int64 = false
  }

  async execute<Row>(source: StatementSource, options?: CallOptions): Promise<Result<Row>> {
    const call = this.#call('execute', options)
    try {
      const result = await this.#inner.execute<Row>(call.telling(source), options)
      call.end({ rows: result.rows.length, affectedRows: result.affectedRows })
      return result
    } catch (error) {
      call.end({ error })
      throw error
    }
  }

  async *stream<Row>(source: StatementSource, options?: CallOptions): AsyncIterable<Row> {
    const call = this.#call('stream', options)
    let rows = 0
    try {
      for await (const row of this.#inner.stream<Row>(call.telling(source), options)) {
        rows++
        yield row
      }
    } catch (error) {
      call.end({ error, rows })
      throw error
    } finally {
      call.end({ rows })
    }
  }

  async transaction<T>(work: (tx: Executor) => Promise<T>, options?: CallOptions): Promise<T> {
    const call = this.#call('transaction', options)
    call.begin()
    const place = this.#placeOf(options)
    const told = (tx: Executor): Promise<T> => {
      call.know(tx.dialect, null)
      return work(new InstrumentedExecutor(tx, this.#hooks, place))
    }
    try {
      const result = await this.#inner.transaction(told, options)
      call.end({})
      return result
    } catch (error) {
      call.end({ error })
      throw error
    }
  }

  get idsOnly(): boolean {
    return this.#inner.idsOnly ?? false
  }

  placeOf(route: CallOptions['route']): Place {
    return this.#place ?? placeOf(this.#inner, { route })
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

  #call(kind: CallStart['kind'], options: CallOptions | undefined): Call {
    return new Call(this.#hooks, kind, this.family, this.#placeOf(options))
  }

  /** Null for a route that the call itself will refuse. */
  #placeOf(options: CallOptions | undefined): Place | null {
    try {
      return this.#place ?? placeOf(this.#inner, options)
    } catch {
      return null
    }
  }
}
