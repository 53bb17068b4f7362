import type { DialectName, Executor, OrderBy, Statement } from '@shard/core'
import fc from 'fast-check'
import { spellingOf } from '../src/executor/check.ts'

export type Row = Record<string, unknown>

/** The columns beside the id, as every engine types them. */
export const columns = ['n', 'big', 'ratio', 'name', 'data'] as const

/** The text column's own collation folds case where the engine's default does: an order must not. */
export function createTable(executor: Executor): string {
  const { bytes } = spellingOf(executor)
  const name = executor.dialect === 'sqlite' ? 'text collate nocase' : 'varchar(100)'
  return `create table t (
  id bigint not null primary key, n integer, big bigint, ratio double precision, name ${name}, data ${bytes}
)`
}

/** In many scripts; in bytes, U+FF5E sorts before what lies outside the BMP. */
const texts = ['', 'a', 'A', 'b', 'a ', 'é', 'é', 'ß', 'ss', 'я', '日', '～', '\u{1f600}', "o'b", 'İ', 'a\\']

/** Few values, so that there are ties. */
export const anyRow: fc.Arbitrary<Row> = fc.record({
  n: fc.option(fc.integer({ min: -2, max: 2 })),
  big: fc.option(fc.constantFrom(9n, 10n, 100n, 2n ** 53n, 2n ** 53n + 1n, 10n ** 18n, -1n)),
  ratio: fc.option(fc.constantFrom(0, -0.5, 0.1, 1e300)),
  name: fc.option(fc.constantFrom(...texts)),
  data: fc.option(fc.constantFrom([], [0], [0, 1], [255]).map((bytes) => Uint8Array.from(bytes))),
})

/** What is asked, of many shards or of one table. */
export interface Question {
  readonly filter: { readonly where: string; readonly parameters: readonly unknown[] }
  readonly orderBy: readonly OrderBy[]
  readonly limit: number | undefined
  readonly offset: number
}

const anyFilter = fc.constantFrom(
  { where: '', parameters: [] },
  { where: 'where n >= ?', parameters: [0] },
  { where: 'where big > ? or name is null', parameters: [2n ** 53n] },
  { where: "where n = ? and 'limit' <> 'order by'", parameters: [1] },
  { where: 'where id < 0', parameters: [] },
)

const anyTerm = fc.record({
  column: fc.constantFrom(...columns),
  direction: fc.constantFrom('asc' as const, 'desc' as const),
  nulls: fc.constantFrom('first' as const, 'last' as const, undefined),
})

/** The id comes last, so that the answer is one list and no other. */
export const anyQuestion: fc.Arbitrary<Question> = fc
  .record({
    filter: anyFilter,
    terms: fc.uniqueArray(anyTerm, { selector: ({ column }) => column, maxLength: 3 }),
    byId: fc.constantFrom('asc' as const, 'desc' as const),
    limit: fc.option(fc.nat(30), { nil: undefined }),
    offset: fc.oneof(fc.constant(0), fc.nat(40)),
  })
  .map(({ terms, byId, ...rest }) => ({
    ...rest,
    orderBy: [
      ...terms.map(({ nulls, ...term }) => ({ ...term, ...(nulls && { nulls }) })),
      { column: 'id', direction: byId },
    ],
  }))

const order: Record<DialectName, (column: string, direction: string, nulls: string) => string> = {
  sqlite: (column, direction, nulls) => `${column} collate binary ${direction} nulls ${nulls}`,
  postgres: (column, direction, nulls) =>
    `${column}${column === 'name' ? ' collate "C"' : ''} ${direction} nulls ${nulls}`,
  // MariaDB's collation that compares by code point and does not pad.
  mysql: (column, direction, nulls) =>
    `${column} is null ${nulls === 'first' ? 'desc' : 'asc'}, ` +
    `${column}${column === 'name' ? ' collate utf8mb4_nopad_bin' : ''} ${direction}`,
}

/** The question without its order and limit. */
export function plainStatement({ filter }: Question): (dialect: DialectName) => Statement {
  return (dialect) => ({
    sql: `select id, ${columns.join(', ')} from t ${filter.where} -- all`.replace(
      '?',
      dialect === 'postgres' ? '$1' : '?',
    ),
    parameters: filter.parameters,
  })
}

/** The answer of one table that holds every row, in the engine's own words. */
export async function askMerged(executor: Executor, question: Question): Promise<readonly Row[]> {
  const { sql, parameters } = plainStatement(question)(executor.dialect)
  const terms = question.orderBy.map(({ column, direction = 'asc', nulls }) =>
    order[executor.dialect](column, direction, nulls ?? (direction === 'asc' ? 'first' : 'last')),
  )
  const limit = `limit ${question.limit ?? 1_000_000} offset ${question.offset}`
  const { rows } = await executor.execute<Row>({
    sql: `${sql}\norder by ${terms.join(', ')} ${limit}`,
    parameters,
  })
  return rows.map(plain)
}

/** Drivers give their own kinds of row and of bytes. */
export function plain(row: Row): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? Uint8Array.from(value) : value,
    ]),
  )
}
