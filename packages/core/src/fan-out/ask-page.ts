import type { Statement } from '../executor.ts'
import type { ShardId } from '../id.ts'
import { eachOf, type ShardFailure } from './ask.ts'
import type { Answered, ColumnTypes, Question } from './column-types.ts'
import type { FanOutPlan } from './options.ts'
import { firstPart, type Page, pageStatement } from './statement.ts'

/** What shards answered, in parts of which each comes wholly after the one before. */
export interface PageAnswers<Row> {
  readonly parts: readonly (readonly Answered<Row>[])[]
  readonly failures: readonly ShardFailure[]
}

/** One page of one shard. */
export function askOne<Row>(
  types: ColumnTypes,
  shard: ShardId,
  patience: Pick<FanOutPlan, 'timeoutMs' | 'signal'>,
  page: Page,
): Promise<Answered<Row> | ShardFailure> {
  return types.ask<Row>(shard, patience, questionOf(page))
}

/** The page as a question; shards that are alike are asked in the same words, which are put together once. */
function questionOf(page: Page): Question {
  let made: { of: readonly unknown[]; statement: Statement } | null = null
  return {
    build(...of) {
      if (made === null || !of.every((part, i) => part === made?.of[i]))
        made = { of, statement: pageStatement(of[0], of[1], page, of[2]) }
      return made.statement
    },
    after: page.part === 'nulls' ? null : page.after,
  }
}

/** One page of all shards; nulls that come last are asked for only if the page is not full without them. */
export async function askAll<Row>(
  types: ColumnTypes,
  plan: FanOutPlan,
  page: Omit<Page, 'part'>,
): Promise<PageAnswers<Row>> {
  const part = firstPart(page.terms, page.after)
  const first = await askPart<Row>(types, plan, plan.shards, { ...page, part })
  const [values = []] = first.parts
  const read = values.reduce((sum, { rows }) => sum + rows.length, 0)
  const isEnough = read >= page.maxRows || (first.failures.length > 0 && plan.onFailure === 'throw')
  if (part === 'all' || isEnough) return first
  const shards = values.map(({ shard }) => shard)
  const rest = await askPart<Row>(types, plan, shards, { ...page, part: 'nulls' })
  const failed = new Set(rest.failures.map(({ shard }) => shard))
  return {
    parts: [values.filter(({ shard }) => !failed.has(shard)), ...rest.parts],
    failures: [...first.failures, ...rest.failures].sort((a, b) => a.shard - b.shard),
  }
}

async function askPart<Row>(
  types: ColumnTypes,
  plan: FanOutPlan,
  shards: readonly ShardId[],
  page: Page,
): Promise<PageAnswers<Row>> {
  const question = questionOf(page)
  const answers = await eachOf(shards, plan.concurrency, (shard) => types.ask<Row>(shard, plan, question))
  return {
    parts: [answers.filter((answer) => 'rows' in answer)],
    failures: answers.filter((answer) => 'error' in answer),
  }
}
