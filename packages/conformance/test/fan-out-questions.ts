import type { DialectName, Executor, OrderBy, Statement } from '@shard/core'
import fc from 'fast-check'
import { spellingOf } from '../src/executor/check.ts'
import { type Kind, textColumns } from './fan-out-kinds.ts'

export type Row = Record<string, unknown>

/** The columns beside the id, as every engine types them. */
export const columns = ['n', 'big', 'ratio', 'name', 'data'] as const

/** The text column's own collation folds case where the engine's default does: an order must not. */
export function createTable(dialect: DialectName, kinds: readonly Kind[]): string {
  const { bytes } = spellingOf({ dialect } as Executor)
  const name = dialect === 'sqlite' ? 'text collate nocase' : 'varchar(100)'
  const more = kinds.map((kind) => `, ${kind.name} ${kind.type}`).join('')
  return `create table t (
  id bigint not null primary key, n integer, big bigint, ratio double precision, name ${name}, data ${bytes}${more}
)`
}

/** In many scripts; in bytes, U+FF5E sorts before what lies outside the BMP. */
const texts = ['', 'a', 'A', 'b', 'a ', 'é', 'é', 'ß', 'ss', 'я', '日', '～', '\u{1f600}', "o'b", 'İ', 'a\\']

/** Few values, so that there are ties. */
export const anyRow = (kinds: readonly Kind[]): fc.Arbitrary<Row> =>
  fc.record({
    n: fc.option(fc.integer({ min: -2, max: 2 })),
    big: fc.option(fc.constantFrom(9n, 10n, 100n, 2n ** 53n, 2n ** 53n + 1n, 10n ** 18n, -1n)),
    ratio: fc.option(fc.constantFrom(0, -0.5, 0.1, 1e300)),
    name: fc.option(fc.constantFrom(...texts)),
    data: fc.option(fc.constantFrom([], [0], [0, 1], [255]).map((bytes) => Uint8Array.from(bytes))),
    ...Object.fromEntries(kinds.map(({ name, values }) => [name, fc.option(fc.constantFrom(...values))])),
  })

/** What is asked, of many shards or of one table. */
export interface Question {
  readonly filter: { readonly where: string; readonly parameters: readonly unknown[] }
  readonly orderBy: readonly OrderBy[]
  /** True for a compound SELECT, where the engine has one whose columns are of many types. */
  readonly isCompound: boolean
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

const anyTerm = (kinds: readonly Kind[]) =>
  fc.record({
    column: fc.constantFrom(...columns, ...kinds.map(({ name }) => name)),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
    nulls: fc.constantFrom('first' as const, 'last' as const, undefined),
  })

/** The id comes last, so that the answer is one list and no other. */
export const anyQuestion = (kinds: readonly Kind[]): fc.Arbitrary<Question> =>
  fc
    .record({
      filter: anyFilter,
      terms: fc.uniqueArray(anyTerm(kinds), { selector: ({ column }) => column, maxLength: 3 }),
      byId: fc.constantFrom('asc' as const, 'desc' as const),
      isCompound: fc.boolean(),
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

/** MariaDB's collation that compares by code point and does not pad has keys of three bytes for a character. */
function mysqlKey(column: string): string {
  if (column === 'lengthy') return `cast(${column} as binary)`
  return textColumns.has(column) ? `${column} collate utf8mb4_nopad_bin` : column
}

const order: Record<DialectName, (column: string, direction: string, nulls: string) => string> = {
  sqlite: (column, direction, nulls) => `${column} collate binary ${direction} nulls ${nulls}`,
  postgres: (column, direction, nulls) =>
    `${column}${textColumns.has(column) ? ' collate "C"' : ''} ${direction} nulls ${nulls}`,
  mysql: (column, direction, nulls) =>
    `${column} is null ${nulls === 'first' ? 'desc' : 'asc'}, ${mysqlKey(column)} ${direction}`,
}

/** The question without its order and limit. */
export function plainStatement(
  { filter, isCompound }: Question,
  kinds: readonly Kind[],
): (dialect: DialectName) => Statement {
  const list = ['id', ...columns, ...kinds.map(({ name }) => name)].join(', ')
  const compound = `(
    select ${list.replace(/\bvaried$/, 'n as varied')} from t where id % 2 = 0
    union all select ${list.replace(/\bvaried$/, 'name as varied')} from t where id % 2 = 1
  ) as parts`
  return (dialect) => ({
    sql: `select ${list} from ${isCompound && list.endsWith('varied') ? compound : 't'} ${filter.where} -- all`.replace(
      '?',
      dialect === 'postgres' ? '$1' : '?',
    ),
    parameters: filter.parameters,
  })
}

/** The answer of one table that holds every row, in the engine's own words. */
export async function askMerged(
  executor: Executor,
  question: Question,
  kinds: readonly Kind[],
): Promise<readonly Row[]> {
  const { sql, parameters } = plainStatement(question, kinds)(executor.dialect)
  const terms = question.orderBy.map(({ column, direction = 'asc', nulls }) =>
    order[executor.dialect](column, direction, nulls ?? (direction === 'asc' ? 'first' : 'last')),
  )
  const limit = `limit ${question.limit ?? 1_000_000} offset ${question.offset}`
  const { rows } = await executor.execute<Row>({
    sql: `select * from (${sql}\n) as asked order by ${terms.join(', ')} ${limit}`,
    parameters,
  })
  return rows.map(plain)
}

/** How often each value of a column is there, as the engine groups it. */
export async function countsMerged(executor: Executor, column: string): Promise<bigint[]> {
  const key = order[executor.dialect](column, '', '').replace(/^.*, | nulls.*$/g, '')
  const sql = `select count(*) as c from t group by ${key}`
  return (await executor.execute<{ c: bigint }>({ sql, parameters: [] })).rows.map(({ c }) => c).sort(rising)
}

/** For a list of bigints. */
export function rising(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** The columns that every engine gives alike: by the id a row is known, whatever its others are printed as. */
export function common(row: Row): Row {
  return plain(Object.fromEntries(['id', ...columns].map((column) => [column, row[column]])))
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
