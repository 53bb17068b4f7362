import type { AsyncContext } from '../async-context.ts'
import { BusyError } from '../driver-errors.ts'
import { InvalidArgumentError } from '../errors.ts'
import type { CallOptions, DialectName, Executor, Result, StatementSource } from '../executor.ts'
import type { ShardId } from '../id.ts'
import type { Pin, ShardPool } from './pool.ts'

/** What the handles of one catalog share. */
export interface HandleContext {
  readonly pool: ShardPool
  /** True while the running code is inside a transaction on one of the shards. */
  readonly holding: AsyncContext<true> | null
  readonly dialect: DialectName
}

/** A shard that is opened when it is used, and may be closed and opened again between two uses. */
export class ShardHandle implements Executor {
  readonly family: null = null
  readonly #shard: ShardId
  readonly #context: HandleContext
  #dialect: DialectName

  constructor(shard: ShardId, context: HandleContext) {
    this.#shard = shard
    this.#context = context
    this.#dialect = context.dialect
  }

  /** The global database's until the shard has been opened once. */
  get dialect(): DialectName {
    return this.#dialect
  }

  async execute<Row>(statement: StatementSource, options: CallOptions = {}): Promise<Result<Row>> {
    const pin = this.#tryPin() ?? (await this.#wait(options.signal))
    try {
      return await pin.executor.execute<Row>(statement, options)
    } finally {
      pin.release()
    }
  }

  async *stream<Row>(statement: StatementSource, options: CallOptions = {}): AsyncIterable<Row> {
    const pin = this.#tryPin() ?? (await this.#wait(options.signal))
    try {
      yield* pin.executor.stream<Row>(statement, options)
    } finally {
      pin.release()
    }
  }

  async transaction<T>(work: (tx: Executor) => Promise<T>, options: CallOptions = {}): Promise<T> {
    const { holding } = this.#context
    const inside = holding === null ? work : (tx: Executor): Promise<T> => holding.run(true, () => work(tx))
    const pin = this.#tryPin() ?? (await this.#wait(options.signal))
    try {
      return await pin.executor.transaction(inside, options)
    } finally {
      pin.release()
    }
  }

  shardIds(): readonly [] {
    return []
  }

  /** A handle is the catalog's: close that. */
  close(): Promise<void> {
    return Promise.reject(new InvalidArgumentError('close the catalog, not the handle of a shard'))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #tryPin(): Pin | null {
    const { pool, holding } = this.#context
    if (holding?.get() && pool.wouldWait(this.#shard)) {
      const reason = `shard ${this.#shard} has no free connection, and the caller holds one that others may wait for`
      throw new BusyError(new Error(reason))
    }
    return this.#known(pool.tryPin(this.#shard))
  }

  async #wait(signal: AbortSignal | undefined): Promise<Pin> {
    return this.#known(await this.#context.pool.pin(this.#shard, signal))
  }

  #known<P extends Pin | null>(pin: P): P {
    if (pin) this.#dialect = pin.executor.dialect
    return pin
  }
}
