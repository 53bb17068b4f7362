import { checkInteger, checkSignal } from './argument.ts'
import { InvalidArgumentError } from './errors.ts'
import type { DialectName, Executor, StatementSource } from './executor.ts'
import { eachOf, incomplete, type Patience, type ShardFailure } from './fan-out/ask.ts'
import { askOne } from './fan-out/ask-page.ts'
import { type Answered, ColumnTypes } from './fan-out/column-types.ts'
import { keyedRows } from './fan-out/keyed.ts'
import { checkLongKeys } from './fan-out/long-keys.ts'
import { Merge, type Source } from './fan-out/merge.ts'
import { type AskOptions, askingOf } from './fan-out/options.ts'
import {
  type Row as AnyRow,
  checkColumns,
  compareKeys,
  type Key,
  type OrderBy,
  type OrderTerm,
  orderTerms,
  typesSaid,
} from './fan-out/order.ts'
import { checkSingleRows } from './fan-out/single-rows.ts'
import { isTyped } from './fan-out/spelling.ts'
import { firstPart, type Page } from './fan-out/statement.ts'
import type { ShardId } from './id.ts'

/** How many shards are read as one long list. */
export interface StreamFanOutOptions extends AskOptions {
  /** The merged order. Its last column must be unique on each shard, such as an id. */
  readonly orderBy: readonly OrderBy[]
  /** Rows fetched from a shard at a time (500). */
  readonly pageRows?: number
}

/**
 * Reads the merged rows of many shards one at a time, with bounded memory: a page per shard, fetched by the
 * order values of the last row. No connection is held between pages, however slow the reader.
 * @throws IncompleteFanOutError (retryable) when a shard gives no answer; what was read until then is right
 * @throws InvalidArgumentError if two rows of a shard tie, so that a page could skip one
 */
export async function* streamFanOut<Row extends Record<string, unknown>>(
  executor: Executor,
  source: StatementSource,
  options: StreamFanOutOptions,
): AsyncGenerator<Row> {
  const asking = askingOf(executor, options)
  const terms = orderTerms(options.orderBy)
  if (terms.length === 0) throw new InvalidArgumentError('a stream of many shards needs an order')
  const maxRows = checkInteger('pageRows', options.pageRows ?? 500, 1, 100_000)
  checkSignal(asking.signal)
  checkSingleRows(executor, source, asking)
  const types = new ColumnTypes(executor, source, typesSaid(terms))
  const pages = asking.shards.map(
    (shard, rank) => new ShardPages<Row>({ types, terms, shard, maxRows, patience: asking }, rank),
  )
  const failures = await eachOf(pages, asking.concurrency, (page) => page.fill())
  refuse(failures)
  const typed = isTyped(pages.flatMap(({ dialect }) => (dialect === null ? [] : [{ dialect }])))
  yield* mergePages(pages, compareKeys(terms, typed))
}

/** Always the least row of all shards next. */
async function* mergePages<Row extends AnyRow>(
  pages: readonly ShardPages<Row>[],
  compare: (a: Key, b: Key) => number,
): AsyncGenerator<Row> {
  const merge = new Merge(pages, compare)
  for (let top = merge.top; top !== undefined; top = merge.top) {
    yield top.row
    top.advance()
    if (top.key === undefined) refuse([await top.fill()])
    merge.settle()
  }
}

function refuse(failures: readonly (ShardFailure | null)[]): void {
  const named = failures.filter((failure) => failure !== null)
  if (named.length > 0) throw incomplete(named)
}

/** What it takes to read one shard page by page. */
interface ShardSource {
  readonly types: ColumnTypes
  readonly terms: readonly OrderTerm[]
  readonly shard: ShardId
  readonly maxRows: number
  readonly patience: Patience
}

/** One shard's rows, a page at a time. */
class ShardPages<Row extends AnyRow> implements Source {
  readonly rank: number
  /** The shard's engine, once it has answered. */
  dialect: DialectName | null = null
  readonly #source: ShardSource
  #rows: readonly Row[] = []
  #keys: readonly Key[] = []
  #next = 0
  #after: Key | null = null
  #part: Page['part'] = 'all'
  #ended = false

  constructor(source: ShardSource, rank: number) {
    this.#source = source
    this.rank = rank
  }

  /** Of the next row; undefined when the page, or the shard, has no more. */
  get key(): Key | undefined {
    return this.#keys[this.#next]
  }

  get row(): Row {
    return this.#rows[this.#next] as Row
  }

  advance(): void {
    this.#next++
  }

  /** Fetches the next page, if there is one; gives the failure if the shard does not answer. */
  async fill(): Promise<ShardFailure | null> {
    const { types, terms, shard, maxRows, patience } = this.#source
    while (!this.#ended && this.key === undefined) {
      checkSignal(patience.signal)
      // One more than is taken shows whether the page ends within a tie.
      const page = { terms, after: this.#after, part: this.#part, maxRows: maxRows + 1 }
      const answer = await askOne<Row>(types, shard, patience, page)
      checkSignal(patience.signal)
      if ('error' in answer) return answer
      this.#take(answer)
    }
    return null
  }

  #take(answer: Answered<Row>): void {
    const { terms, maxRows } = this.#source
    const { rows } = answer
    checkColumns(rows, terms)
    const list = keyedRows(answer, terms)
    checkLongKeys(list, [...answer.kinds.values()], rows.length > maxRows)
    const keys = rows.map((_, i) => list.keyOf(i))
    const compare = compareKeys(terms, isTyped([answer]))
    for (const [i, key] of keys.entries()) {
      const before = keys[i - 1]
      if (before && compare(before, key) === 0) {
        throw new InvalidArgumentError(
          'two rows of a shard tie: end the order with a unique column, such as an id',
        )
      }
    }
    this.dialect = answer.dialect
    this.#rows = rows
    this.#keys = keys.slice(0, maxRows)
    this.#next = 0
    this.#after = this.#keys.at(-1) ?? this.#after
    const isLast = rows.length <= maxRows
    this.#ended = isLast && this.#part !== 'values'
    this.#part = isLast ? 'nulls' : firstPart(terms, this.#after)
  }
}
