import { checkSignal } from './argument.ts'
import { InvalidArgumentError } from './errors.ts'
import type { Executor, StatementSource } from './executor.ts'
import { incomplete, type ShardFailure } from './fan-out/ask.ts'
import { askAll } from './fan-out/ask-page.ts'
import { type Answered, ColumnTypes } from './fan-out/column-types.ts'
import { decodeCursor, encodeCursor, queryHash, TIED } from './fan-out/cursor.ts'
import { type Keyed, keyedRows } from './fan-out/keyed.ts'
import { checkLongKeys } from './fan-out/long-keys.ts'
import { type Merged, mergeLists } from './fan-out/merge.ts'
import { type FanOutOptions, type FanOutPlan, planOf } from './fan-out/options.ts'
import {
  type Row as AnyRow,
  checkColumns,
  compareKeys,
  type Key,
  type OrderTerm,
  typesSaid,
} from './fan-out/order.ts'
import { checkSingleRows } from './fan-out/single-rows.ts'
import { isTyped } from './fan-out/spelling.ts'
import type { ShardId } from './id.ts'
import { statementFor } from './statement.ts'

/** The merged rows, the shards that answered, ascending, and those that did not. */
export interface FanOutResult<Row> {
  readonly rows: readonly Row[]
  readonly shards: readonly ShardId[]
  readonly failures: readonly ShardFailure[]
  /** For `after`, to read on; null on the last page, and without an order or a limit. */
  readonly cursor: string | null
}

/**
 * Asks many shards and merges the rows as one table would give them: text sorts by its UTF-8 bytes,
 * integers by value. The statement carries no ORDER BY or LIMIT of its own, and speaks of single rows: where
 * its outermost words are DISTINCT, GROUP BY, aggregates or window functions it is refused (see `aggregate`,
 * and `perShard`); inside a subquery or a view each shard answers them for its own rows. Every shard is asked,
 * also after one has failed, so that an error names all that are broken. The shards, and pages, are not read
 * at one instant.
 * @throws IncompleteFanOutError (retryable) if a shard gave no answer, or under `partial` if none did
 * @throws InvalidArgumentError also for a column whose values have no order that is the same everywhere
 */
export async function fanOut<Row extends Record<string, unknown>>(
  executor: Executor,
  source: StatementSource,
  options: FanOutOptions = {},
): Promise<FanOutResult<Row>> {
  const plan = planOf(executor, options)
  checkSignal(plan.signal)
  checkSingleRows(executor, source, plan)
  const query = (): string => queryHash(statementFor(source, executor.dialect), plan.terms)
  const after = plan.after === null ? null : decodeCursor(plan.after, query())
  const page = { terms: plan.terms, after, maxRows: rowsPerShard(plan) }
  const types = new ColumnTypes(executor, source, typesSaid(plan.terms))
  const { parts, failures } = await askAll<Row>(types, plan, page)
  checkSignal(plan.signal)

  const [answered = []] = parts
  if (failures.length > 0 && (plan.onFailure === 'throw' || answered.length === 0)) throw incomplete(failures)
  const { rows, keys } = merged(parts, plan, page.maxRows)
  return {
    rows: rows.slice(plan.offset, plan.limit === null ? undefined : plan.offset + plan.limit),
    shards: answered.map((answer) => answer.shard),
    failures,
    cursor: cursorOf(keys, plan, query),
  }
}

/** @throws InvalidArgumentError if rows have no exact order, or too many were read */
function merged<Row extends AnyRow>(
  parts: readonly (readonly Answered<Row>[])[],
  plan: FanOutPlan,
  perShard: number,
): Merged<Row> {
  const { terms, offset, limit } = plan
  const read = countRows(parts.flat(), plan)
  if (terms.length === 0) return { rows: parts.flat().flatMap((answer) => answer.rows), keys: [] }
  const compare = compareKeys(terms, isTyped(parts.flat()))
  // One more than is wanted shows where the next page begins.
  const wanted = limit === null ? read : offset + limit + 1
  const all: Merged<Row> = { rows: [], keys: [] }
  for (const answers of parts) {
    const lists = answers.map((answer) => keyed(answer, terms, perShard))
    const { rows, keys } = mergeLists(lists, compare, wanted - all.rows.length)
    for (const row of rows) all.rows.push(row)
    for (const key of keys) all.keys.push(key)
  }
  return all
}

/** @throws InvalidArgumentError if a shard's rows have no exact order */
function keyed<Row extends AnyRow>(
  answer: Answered<Row>,
  terms: readonly OrderTerm[],
  maxRows: number,
): Keyed<Row> {
  checkColumns(answer.rows, terms)
  const list = keyedRows(answer, terms)
  checkLongKeys(list, [...answer.kinds.values()], answer.rows.length >= maxRows)
  return list
}

/** @throws InvalidArgumentError if more was read than may be */
function countRows(answered: readonly Answered<unknown>[], { maxRows, limit }: FanOutPlan): number {
  const lengths = answered.map(({ rows }) => rows.length)
  const read = lengths.reduce((sum, length) => sum + length, 0)
  const extra = limit === null ? 0 : 1
  if (read > maxRows + extra * lengths.length || lengths.some((length) => length > maxRows + extra)) {
    throw new InvalidArgumentError(`more than ${maxRows} rows were read: set a limit, or raise maxRows`)
  }
  return read
}

/** One more than is wanted, which tells whether there are more. */
function rowsPerShard({ limit, offset, maxRows }: FanOutPlan): number {
  if (limit === null) return maxRows + 1
  return limit === 0 ? 0 : Math.min(limit + offset, maxRows + 1) + 1
}

function cursorOf(
  keys: readonly Key[],
  { terms, limit, offset }: FanOutPlan,
  query: () => string,
): string | null {
  if (limit === null || limit === 0 || terms.length === 0) return null
  const [last, next] = [keys[offset + limit - 1], keys[offset + limit]]
  if (!last || !next) return null
  // After a row that ties with the next one, the rest of the tie would be skipped: such a cursor is refused.
  return compareKeys(terms, false)(last, next) === 0 ? TIED : encodeCursor(query(), last)
}
