import {
  type AskOptions,
  aggregate,
  type FanOutOptions,
  type FanOutResult,
  InvalidArgumentError,
  fanOut as mergeRows,
  streamFanOut as streamRows,
} from '@shard/core'
import type { Compilable } from 'kysely'
import { figureOrderOf, figureRows } from './fan-out/figure-rows.ts'
import { figuresOf } from './fan-out/figures.ts'
import { kindOf } from './fan-out/kind.ts'
import { mergeOrderOf } from './fan-out/merge-order.ts'
import { type Question, questionOf } from './fan-out/question.ts'
import { cannotCombine, cutOf } from './fan-out/select-parts.ts'
import type { AnyKysely } from './routing-handle.ts'

/** How a query is put to many shards; its order, limit and offset are its own. */
export type QueryFanOutOptions = Omit<FanOutOptions, 'orderBy' | 'limit' | 'offset' | 'perShard'>

/** How a query is read from many shards as one long list. */
export interface QueryStreamOptions extends Omit<AskOptions, 'perShard'> {
  /** Rows fetched from a shard at a time (500). */
  readonly pageRows?: number
}

type Row = Record<string, unknown>

/** What each shard answers for its own rows, it answers for the whole. */
const proven = { perShard: true } as const

/**
 * Puts an ordinary query to every shard and gives the answer that one table would give: order, limit, offset,
 * aggregates and groups are read from the query. Text is ordered by its UTF-8 bytes, nulls as the engine does.
 *
 * Each row of the answer has to be made on one shard: sharded tables are joined by key. An aggregate over groups
 * without the shard key is added up here: sums of integers are bigints, an average is a number. `count(distinct)`,
 * windows, UNION and HAVING over such groups are refused. On one database that is not sharded it works alike.
 * Shards, and pages, are not read at one instant.
 * @throws UnroutedError if the shards' answers are not that of one table; nothing has run then
 * @throws IncompleteFanOutError (retryable) if a shard gave no answer, or under `partial` if none did
 */
export async function fanOut<Given>(
  db: AnyKysely,
  query: Compilable<Given>,
  options: QueryFanOutOptions = {},
): Promise<FanOutResult<Given>> {
  const question = questionOf(db, query)
  return kindOf(question) === 'rows' ? fanOutRows(question, options) : fanOutFigures(question, options)
}

async function fanOutRows<Given>(
  question: Question,
  options: QueryFanOutOptions,
): Promise<FanOutResult<Given>> {
  const { executor, root, parts } = question
  const { limit, offset } = cutOf(root)
  const { orderBy, hidden, rows } = merged(question, parts.nullsInAscending)
  const result = await mergeRows<Row>(executor, question.spell(rows), {
    ...options,
    ...proven,
    orderBy,
    ...(limit === null ? {} : { limit }),
    ...(root.offset ? { offset } : {}),
  })
  return { ...result, rows: await question.given<Given>(result.rows.map((row) => without(row, hidden))) }
}

async function fanOutFigures<Given>(
  question: Question,
  { after, onFailure = 'throw', maxRows: _, ...ask }: QueryFanOutOptions,
): Promise<FanOutResult<Given>> {
  if (after !== undefined && after !== null) throw new InvalidArgumentError('figures have no pages')
  if (onFailure !== 'throw') throw new InvalidArgumentError('a part of a sum is no sum: onFailure is throw')
  const { executor, root, parts } = question
  const { rows, columns, groupBy } = figuresOf(root)
  const order = figureOrderOf(root, parts.nullsInAscending)
  const cut = cutOf(root)
  const of = (kind: string): string[] =>
    columns.filter((one) => one.kind === kind).map(({ column }) => column)
  const aggregates = await aggregate(executor, question.spell(rows), {
    ...ask,
    ...proven,
    count: true,
    sum: [...of('sum'), ...of('count')],
    min: of('min'),
    max: of('max'),
    avg: of('avg'),
    groupBy,
  })
  const answer = figureRows(columns, aggregates, order, cut)
  const shards = [...new Set(ask.shards ?? executor.shardIds())].sort((a, b) => a - b)
  return { rows: await question.given<Given>(answer), shards, failures: [], cursor: null }
}

/**
 * Reads an ordinary query from every shard row by row with bounded memory, in the query's order. The order has to end
 * with a column that is unique on each shard, such as an id. No connection is held between pages.
 * @throws UnroutedError as `fanOut`, and for figures, which have no pages
 * @throws IncompleteFanOutError (retryable) when a shard gives no answer; what was read until then is right
 */
export async function* streamFanOut<Given>(
  db: AnyKysely,
  query: Compilable<Given>,
  options: QueryStreamOptions = {},
): AsyncGenerator<Given> {
  const question = questionOf(db, query)
  if (kindOf(question) === 'figures') throw cannotCombine('figures cannot be read page by page')
  const { limit, offset } = cutOf(question.root)
  const { orderBy, hidden, rows } = merged(question, question.parts.nullsInAscending)
  if (limit === 0) return
  let seen = 0
  for await (const row of streamRows<Row>(question.executor, question.spell(rows), {
    ...options,
    ...proven,
    orderBy,
  })) {
    seen++
    if (seen <= offset) continue
    yield* await question.given<Given>([without(row, hidden)])
    if (limit !== null && seen >= offset + limit) return
  }
}

/** The query without what is done after the merge, and with what the merge needs. */
function merged({ root }: Question, nullsInAscending: 'first' | 'last') {
  const { orderBy: _order, limit: _limit, offset: _offset, ...rest } = root
  const { orderBy, added, hidden } = mergeOrderOf(root, nullsInAscending)
  return { orderBy, hidden, rows: { ...rest, selections: [...(root.selections ?? []), ...added] } }
}

function without(row: Row, hidden: readonly string[]): Row {
  if (hidden.length === 0) return row
  return Object.fromEntries(Object.entries(row).filter(([name]) => !hidden.includes(name)))
}
