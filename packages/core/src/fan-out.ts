import { checkSignal } from './argument.ts'
import { InvalidArgumentError } from './errors.ts'
import type { Executor, StatementSource } from './executor.ts'
import { eachOf, incomplete, type ShardFailure } from './fan-out/ask.ts'
import { ColumnTypes } from './fan-out/column-types.ts'
import { decodeCursor, encodeCursor, queryHash, TIED } from './fan-out/cursor.ts'
import { mergeLists } from './fan-out/merge.ts'
import { type FanOutOptions, type FanOutPlan, planOf } from './fan-out/options.ts'
import { type Row as AnyRow, checkColumns, compareRows, typesSaid } from './fan-out/order.ts'
import { pageStatement } from './fan-out/statement.ts'
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
 * integers by value. The statement carries no ORDER BY or LIMIT of its own, and speaks of single rows: DISTINCT,
 * GROUP BY, aggregates and window functions would be answered shard by shard (see `aggregate`). Every shard is asked, also
 * after one has failed, so that an error names all that are broken. The shards, and pages, are not read
 * at one instant.
 * @throws IncompleteFanOutError (retryable) if a shard gave no answer, or under `partial` if none did
 */
export async function fanOut<Row extends Record<string, unknown>>(
  executor: Executor,
  source: StatementSource,
  options: FanOutOptions = {},
): Promise<FanOutResult<Row>> {
  const plan = planOf(executor, options)
  checkSignal(plan.signal)
  const query = (): string => queryHash(statementFor(source, executor.dialect), plan.terms)
  const after = plan.after === null ? null : decodeCursor(plan.after, query())
  const { terms } = plan
  const page = { terms, after, maxRows: rowsPerShard(plan) }
  const types = new ColumnTypes(executor, source, typesSaid(terms))
  const answers = await eachOf(plan.shards, plan.concurrency, (shard) =>
    types.ask<Row>(shard, plan, (statement, dialect, typeOf) =>
      pageStatement(statement, dialect, page, typeOf),
    ),
  )
  checkSignal(plan.signal)

  const failures = answers.filter((answer) => 'error' in answer)
  const answered = answers.filter((answer) => 'rows' in answer)
  if (failures.length > 0 && (plan.onFailure === 'throw' || answered.length === 0)) throw incomplete(failures)
  for (const { rows } of answered) checkColumns(rows, terms)
  const lists = answered.map(({ rows }) => rows)
  const read = countRows(lists, plan)
  const compare = compareRows(terms, types.merged())
  // One more than is wanted shows where the next page begins.
  const wanted = plan.limit === null ? read : plan.offset + plan.limit + 1
  const rows = terms.length > 0 ? mergeLists(lists, compare, wanted) : lists.flat()
  return {
    rows: rows.slice(plan.offset, plan.limit === null ? undefined : plan.offset + plan.limit),
    shards: answered.map((answer) => answer.shard),
    failures,
    cursor: cursorOf(rows, compare, plan, query),
  }
}

/** @throws InvalidArgumentError if more was read than may be */
function countRows(lists: readonly (readonly unknown[])[], { maxRows, limit }: FanOutPlan): number {
  const read = lists.reduce((sum, { length }) => sum + length, 0)
  const extra = limit === null ? 0 : 1
  if (read > maxRows + extra * lists.length || lists.some(({ length }) => length > maxRows + extra)) {
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
  rows: readonly AnyRow[],
  compare: (a: AnyRow, b: AnyRow) => number,
  { terms, limit, offset }: FanOutPlan,
  query: () => string,
): string | null {
  if (limit === null || limit === 0 || terms.length === 0) return null
  const [last, next] = [rows[offset + limit - 1], rows[offset + limit]]
  if (!last || !next) return null
  // After a row that ties with the next one, the rest of the tie would be skipped: such a cursor is refused.
  if (compare(last, next) === 0) return TIED
  return encodeCursor(
    query(),
    terms.map(({ column }) => last[column] ?? null),
  )
}
