import { checkInteger, checkSignal } from './argument.ts'
import { InvalidArgumentError } from './errors.ts'
import type { Executor, StatementSource } from './executor.ts'
import { eachOf, incomplete, type Patience, type ShardFailure } from './fan-out/ask.ts'
import { ColumnTypes } from './fan-out/column-types.ts'
import { Merge, type Source } from './fan-out/merge.ts'
import { type AskOptions, askingOf } from './fan-out/options.ts'
import {
  type Row as AnyRow,
  checkColumns,
  compareRows,
  type OrderBy,
  type OrderTerm,
  orderTerms,
  typesSaid,
} from './fan-out/order.ts'
import { pageStatement } from './fan-out/statement.ts'
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
  const types = new ColumnTypes(executor, source, typesSaid(terms))
  const pages = asking.shards.map(
    (shard, rank) => new ShardPages<Row>({ types, terms, shard, maxRows, patience: asking }, rank),
  )
  const failures = await eachOf(pages, asking.concurrency, (page) => page.fill())
  refuse(failures)
  yield* mergePages(pages, compareRows(terms, types.merged()))
}

/** Always the least row of all shards next. */
async function* mergePages<Row extends AnyRow>(
  pages: readonly ShardPages<Row>[],
  compare: (a: AnyRow, b: AnyRow) => number,
): AsyncGenerator<Row> {
  const merge = new Merge<Row, ShardPages<Row>>(pages, compare)
  for (let top = merge.top; top?.head !== undefined; top = merge.top) {
    yield top.head
    top.advance()
    if (top.head === undefined) refuse([await top.fill()])
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
class ShardPages<Row extends AnyRow> implements Source<Row> {
  readonly rank: number
  readonly #source: ShardSource
  #rows: readonly Row[] = []
  #next = 0
  #after: readonly unknown[] | null = null
  #ended = false

  constructor(source: ShardSource, rank: number) {
    this.#source = source
    this.rank = rank
  }

  /** The next row; undefined when the page, or the shard, has no more. */
  get head(): Row | undefined {
    return this.#rows[this.#next]
  }

  advance(): void {
    this.#next++
  }

  /** Fetches the next page, if there is one; gives the failure if the shard does not answer. */
  async fill(): Promise<ShardFailure | null> {
    if (this.#ended) return null
    const { types, terms, shard, maxRows, patience } = this.#source
    checkSignal(patience.signal)
    // One more than is taken shows whether the page ends within a tie.
    const page = { terms, after: this.#after, maxRows: maxRows + 1 }
    const answer = await types.ask<Row>(shard, patience, (statement, dialect, typeOf) =>
      pageStatement(statement, dialect, page, typeOf),
    )
    checkSignal(patience.signal)
    if ('error' in answer) return answer
    this.#take(answer.rows)
    return null
  }

  #take(rows: readonly Row[]): void {
    const { terms, maxRows, types } = this.#source
    checkColumns(rows, terms)
    const compare = compareRows(terms, types.merged())
    for (const [i, row] of rows.entries()) {
      const before = rows[i - 1]
      if (before && compare(before, row) === 0) {
        throw new InvalidArgumentError(
          'two rows of a shard tie: end the order with a unique column, such as an id',
        )
      }
    }
    this.#rows = rows.slice(0, maxRows)
    const last = this.#rows.at(-1)
    this.#next = 0
    this.#ended = rows.length <= maxRows
    if (last) this.#after = terms.map(({ column }) => last[column] ?? null)
  }
}
