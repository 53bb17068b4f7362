import { InvalidArgumentError } from '../errors.ts'
import type { DialectName, Executor, StatementSource } from '../executor.ts'
import { bareText } from '../sql-text.ts'
import { statementFor } from '../statement.ts'
import type { Asking } from './options.ts'

const aggregates =
  'count|sum|total|avg|any_value|every|bool_and|bool_or|bit_and|bit_or|bit_xor|group_concat|string_agg' +
  '|array_agg|jsonb?_agg|jsonb?_object_agg|json_arrayagg|json_objectagg|json_group_array|json_group_object' +
  '|std|stddev(?:_pop|_samp)?|variance|var_pop|var_samp'

/** What speaks of more than single rows where it stands outside of all parentheses. */
const words = new RegExp(
  '\\bselect\\s+distinct\\b|\\bgroup\\s+by\\b|\\bhaving\\b|\\bunion\\b(?!\\s+all\\b)|\\bintersect\\b|\\bexcept\\b' +
    '|\\blimit\\b|\\bfetch\\s+(?:first|next)\\b|\\)\\s*over\\b' +
    // With more than one argument SQLite's min and max compare the values of one row.
    `|\\bwithin\\s+group\\b|(?<![\\w.])(?:${aggregates})\\s*(?=\\()|(?<![\\w.])(?:min|max)\\s*(?=\\(\\))`,
  'i',
)

/** OFFSET without LIMIT is PostgreSQL's alone; elsewhere that may be a column's name. */
const own: Partial<Record<DialectName, RegExp>> = { postgres: /(?<!\.\s*)\boffset\b/i }

/**
 * Refuses a statement that each shard would answer for its own rows alone, as far as its outermost words show.
 * A subquery, a CTE, or a function that is not known to compute on many rows is not looked into.
 * @throws InvalidArgumentError
 */
export function checkSingleRows(executor: Executor, source: StatementSource, asking: Asking): void {
  if (asking.perShard || asking.shards.length === 1) return
  const { dialect } = executor
  const text = outermost(statementFor(source, dialect).sql, dialect)
  const word = (words.exec(text) ?? own[dialect]?.exec(text))?.[0]
  if (word === undefined) return
  throw new InvalidArgumentError(
    `each shard would answer ${word.replace(/\s+/g, ' ').toUpperCase()} for its own rows: ` +
      'ask for plain rows, use aggregate(), or say perShard if that is what you want',
  )
}

/** The bare words outside of all parentheses; of what stands inside, the commas of the first level. */
function outermost(sql: string, dialect: DialectName): string {
  let depth = 0
  return bareText(sql, dialect).replace(/[^(),]+|[(),]/g, (part) => {
    if (part === '(') return depth++ === 0 ? part : ''
    if (part === ')') return --depth === 0 ? part : ''
    if (part === ',') return depth <= 1 ? part : ''
    return depth === 0 ? part : ''
  })
}
