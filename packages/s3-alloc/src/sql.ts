import {
  checkBigint,
  checkSignal,
  checkText,
  type Executor,
  isShardError,
  MAX_ID,
  type Result,
} from '@shard/core'
import { dialectOf, queryBuilder, run, textOf } from '@shard/sql'
import type { ColumnType, Kysely } from 'kysely'
import type { CounterCall, CounterReading, ScratchCounter, SwapCall, SwapResult } from './counter.ts'
import { randomText } from './random-text.ts'

type Text = ColumnType<string | Uint8Array, string, string>

interface CounterTable {
  name: Text
  value: bigint
  /** Random, and new with each write: what a swap compares. */
  token: Text
  generation: Text
  home: ColumnType<string | Uint8Array | null, string | null, string | null>
}

/** Names longer than this would not fit every engine's key. */
const MAX_NAME = 170

/** A counter in the table `shard_counters`; the dialect files bind it. */
export function sqlCounter(executor: Executor, name: string): ScratchCounter {
  return new SqlCounter(executor, checkText('the name of a counter', name, MAX_NAME))
}

class SqlCounter implements ScratchCounter {
  readonly name: string
  readonly #executor: Executor
  readonly #builder: Kysely<{ shard_counters: CounterTable }>

  constructor(executor: Executor, name: string) {
    this.name = name
    this.#executor = executor
    this.#builder = queryBuilder(dialectOf(executor))
  }

  async load(call: CounterCall = {}): Promise<CounterReading | null> {
    checkSignal(call.signal)
    const query = this.#builder.selectFrom('shard_counters').selectAll().where('name', '=', this.name)
    const { rows } = await run(this.#executor, query, { signal: call.signal })
    const row = rows[0]
    if (!row) return null
    const [version, generation] = [textOf(row.token), textOf(row.generation)]
    // An engine without 64-bit integers gives numbers.
    return {
      value: BigInt(row.value),
      version,
      generation,
      home: row.home === null ? null : textOf(row.home),
    }
  }

  async swap(version: string | null, value: bigint, call: SwapCall = {}): Promise<SwapResult> {
    checkBigint('value', value, 0n, MAX_ID)
    if (version !== null) checkText('version', version, 200)
    checkSignal(call.signal)
    const token = randomText()
    try {
      const result = await this.#write(version, value, token, call)
      return result.affectedRows > 0n ? 'ok' : 'lost'
    } catch (error) {
      if (version === null && isShardError(error, 'UNIQUE_VIOLATION')) return 'lost'
      if (!isShardError(error) || error.outcome !== 'unknown' || call.signal?.aborted) throw error
      return this.#settle(version, token, call)
    }
  }

  /** For `probe` and tests: a counter in use must not be removed. */
  async remove({ signal }: CounterCall = {}): Promise<void> {
    await run(this.#executor, this.#builder.deleteFrom('shard_counters').where('name', '=', this.name), {
      signal,
    })
  }

  scratch(): ScratchCounter {
    return new SqlCounter(this.#executor, `probe/${randomText()}`)
  }

  #write(
    version: string | null,
    value: bigint,
    token: string,
    { signal, generation, home }: SwapCall,
  ): Promise<Result<unknown>> {
    if (version === null) {
      const row = {
        name: this.name,
        value,
        token,
        generation: generation ?? randomText(),
        home: home ?? null,
      }
      return run(this.#executor, this.#builder.insertInto('shard_counters').values(row), { signal })
    }
    const change = this.#builder
      .updateTable('shard_counters')
      .set({
        value,
        token,
        ...(generation === undefined ? {} : { generation }),
        ...(home === undefined ? {} : { home }),
      })
      .where('name', '=', this.name)
      .where('token', '=', version)
    return run(this.#executor, change, { signal })
  }

  /** After a write of which nobody knows: it is ours only if its token is there. */
  async #settle(version: string | null, token: string, call: CounterCall): Promise<SwapResult> {
    let now: CounterReading | null
    try {
      now = await this.load(call)
    } catch {
      return 'unknown'
    }
    if (now?.version === token) return 'ok'
    // As it was: the write may still come.
    return (now?.version ?? null) === version ? 'unknown' : 'lost'
  }
}
