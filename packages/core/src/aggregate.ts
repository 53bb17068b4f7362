import { checkSignal, show } from './argument.ts'
import { InvalidArgumentError } from './errors.ts'
import type { Executor, StatementSource } from './executor.ts'
import { aggregateStatement, type Columns, typedColumns } from './fan-out/aggregate-statement.ts'
import { eachOf, incomplete } from './fan-out/ask.ts'
import { ColumnTypes } from './fan-out/column-types.ts'
import { Figures } from './fan-out/combine.ts'
import { type AskOptions, askingOf } from './fan-out/options.ts'
import { checkSingleRows } from './fan-out/single-rows.ts'
import { isTyped } from './fan-out/spelling.ts'

/** What is computed of a statement's rows over many shards; at least one of the first five. */
export interface AggregateOptions extends AskOptions {
  readonly count?: boolean
  /** Columns to sum; exact for integers and decimals. */
  readonly sum?: readonly string[]
  readonly min?: readonly string[]
  readonly max?: readonly string[]
  /** Columns whose average can be had from the sum and the count of their values. */
  readonly avg?: readonly string[]
  /** One result per combination of these columns' values; one for all rows without them. */
  readonly groupBy?: readonly string[]
}

/** One group's figures; those not asked for are empty. */
export interface Aggregate {
  readonly group: Readonly<Record<string, unknown>>
  readonly count: bigint
  /**
   * A whole sum is a bigint, an exact decimal one is text, one of floats a number; null of no values. Of decimals
   * that are not finite it is the text that PostgreSQL has for them.
   */
  readonly sum: Readonly<Record<string, bigint | string | number | null>>
  readonly min: Readonly<Record<string, unknown>>
  readonly max: Readonly<Record<string, unknown>>
  readonly avg: Readonly<Record<string, { sum: bigint | string | number | null; count: bigint }>>
}

const known = [
  'count',
  'sum',
  'min',
  'max',
  'avg',
  'groupBy',
  'shards',
  'concurrency',
  'timeoutMs',
  'signal',
  'perShard',
]

/**
 * Computes figures over the rows that a statement gives on many shards, as one table would. The statement
 * carries no LIMIT. Groups come in no order. What shards' figures cannot be combined to, such as a count of
 * distinct values or a percentile, is not offered.
 * @throws IncompleteFanOutError (retryable) if a shard gives no answer: a part of a sum is no sum
 */
export async function aggregate(
  executor: Executor,
  source: StatementSource,
  options: AggregateOptions,
): Promise<readonly Aggregate[]> {
  const asking = askingOf(executor, options)
  const columns = columnsOf(options)
  checkSignal(asking.signal)
  checkSingleRows(executor, source, asking)
  const typed = new Map(typedColumns(columns).map((column) => [column, null]))
  const types = new ColumnTypes(executor, source, typed)
  const answers = await eachOf(asking.shards, asking.concurrency, (shard) =>
    types.ask<Record<string, unknown>>(shard, asking, {
      build: (statement, dialect, kinds) => aggregateStatement(statement, dialect, columns, kinds),
      after: null,
    }),
  )
  checkSignal(asking.signal)
  const failures = answers.filter((answer) => 'error' in answer)
  if (failures.length > 0) throw incomplete(failures)

  const answered = answers.filter((answer) => 'rows' in answer)
  const figures = new Figures(columns, isTyped(answered))
  for (const { rows, kinds } of answered) {
    for (const row of rows) figures.add(row, kinds)
  }
  return figures.told()
}

function columnsOf(options: AggregateOptions): Columns {
  for (const name of Object.keys(options)) {
    if (!known.includes(name))
      throw new InvalidArgumentError(`shards' answers cannot be combined to ${show(name)}`)
  }
  const { count = false, sum = [], min = [], max = [], avg = [], groupBy = [] } = options
  for (const list of [sum, min, max, avg, groupBy]) {
    if (!Array.isArray(list) || !list.every((column) => typeof column === 'string' && column !== '')) {
      throw new InvalidArgumentError(`a list of columns is expected, not ${show(list)}`)
    }
  }
  if (!count && sum.length + min.length + max.length + avg.length === 0) {
    throw new InvalidArgumentError('say what to compute: count, sum, min, max or avg')
  }
  const once = (list: readonly string[]): readonly string[] => [...new Set(list)]
  return { sum: once(sum), min: once(min), max: once(max), avg: once(avg), groupBy: once(groupBy) }
}
