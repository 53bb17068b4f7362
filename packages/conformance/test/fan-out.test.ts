import { type Executor, fanOut, type OrderBy, ShardCodec, ShardedExecutor, staticCatalog } from '@shard/core'
import { sqliteExecutor } from '@shard/core/sqlite'
import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'

type Row = Record<string, unknown>
const columns = ['n', 'big', 'ratio', 'name', 'data'] as const

/** Five shards, and one table that holds the rows of all. */
interface Fleet {
  readonly sharded: Executor
  readonly merged: Executor
  put(shard: number, row: Row): Promise<void>
  close(): Promise<void>
}

// The column's own collation folds case: the order that is asked for must not.
const createTable = `create table t (
  id bigint primary key, n integer, big bigint, ratio real, name text collate nocase, data blob
)`

async function open(): Promise<Fleet> {
  const memory = (): Executor => sqliteExecutor(new Database(':memory:'))
  const shards = new Map(Array.from({ length: 5 }, (_, i) => [i, memory()]))
  const merged = memory()
  for (const executor of [merged, ...shards.values()])
    await executor.execute({ sql: createTable, parameters: [] })
  const catalog = staticCatalog({ global: memory(), shards })
  const sharded = new ShardedExecutor({ catalog, locator: ShardCodec.default, family: 'users' })
  return {
    sharded,
    merged,
    async put(shard, row) {
      const parameters = [row.id, ...columns.map((column) => row[column])]
      const insert = { sql: 'insert into t values (?, ?, ?, ?, ?, ?)', parameters }
      await merged.execute(insert)
      await sharded.execute(insert, { route: { shard } })
    },
    close: async () => {
      await Promise.all([sharded.close(), merged.close()])
    },
  }
}

// Few values, so that there are ties; U+FF5E sorts before what lies outside the BMP, in bytes only.
const anyRow = fc.record({
  n: fc.option(fc.integer({ min: -2, max: 2 })),
  big: fc.option(fc.constantFrom(9n, 10n, 100n, 2n ** 53n, 2n ** 53n + 1n, 10n ** 18n, -1n)),
  ratio: fc.option(fc.constantFrom(0, -0.5, 0.1, 1e300)),
  name: fc.option(fc.constantFrom('', 'a', 'A', 'a ', 'é', 'e\u0301', '\uff5e', '\u{1f600}', "o'b", 'a\0')),
  data: fc.option(fc.constantFrom([], [0], [0, 1], [255]).map((bytes) => Uint8Array.from(bytes))),
})

const anyOrder = fc.uniqueArray(
  fc.record({
    column: fc.constantFrom(...columns, 'id'),
    direction: fc.constantFrom('asc' as const, 'desc' as const),
    nulls: fc.constantFrom('first' as const, 'last' as const, undefined),
  }),
  { selector: ({ column }) => column, maxLength: 4 },
)

interface Filter {
  readonly where: string
  readonly parameters: unknown[]
}

const everything: Filter = { where: '', parameters: [] }
const filters: readonly Filter[] = [
  { where: 'where n >= ?', parameters: [0] },
  { where: 'where big > ? or name is null', parameters: [2n ** 53n] },
  { where: "where name = ? and 'limit' <> 'order by'", parameters: ['A'] },
  { where: 'where id < 0', parameters: [] },
]

interface Question {
  readonly filter: Filter
  readonly order: readonly {
    column: string
    direction: 'asc' | 'desc'
    nulls: 'first' | 'last' | undefined
  }[]
  readonly limit: number | undefined
  readonly offset: number
  readonly concurrency: number
}

const anyQuestion: fc.Arbitrary<Question> = fc.record({
  filter: fc.oneof(fc.constant(everything), fc.constantFrom(...filters)),
  order: anyOrder,
  limit: fc.option(fc.nat(12), { nil: undefined }),
  offset: fc.oneof(fc.constant(0), fc.nat(14)),
  concurrency: fc.integer({ min: 1, max: 6 }),
})

const orderBy = ({ order }: Question): OrderBy[] =>
  order.map(({ column, direction, nulls }) => ({ column, direction, ...(nulls && { nulls }) }))

const statementOf = ({ filter }: Question): { sql: string; parameters: unknown[] } => ({
  sql: `select id, ${columns.join(', ')} from t ${filter.where}`,
  parameters: filter.parameters,
})

async function askShards(executor: Executor, question: Question): Promise<readonly Row[]> {
  const { limit, offset, concurrency } = question
  const options = { orderBy: orderBy(question), offset, concurrency, ...(limit !== undefined && { limit }) }
  return (await fanOut(executor, statementOf(question), options)).rows
}

/** The same question of one table, in that engine's own words. */
async function askMerged(executor: Executor, question: Question): Promise<readonly Row[]> {
  const { sql, parameters } = statementOf(question)
  const terms = question.order.map(({ column, direction, nulls }) => {
    const place = nulls ?? (direction === 'asc' ? 'first' : 'last')
    return `${column} collate binary ${direction} nulls ${place}`
  })
  const order = terms.length > 0 ? `order by ${terms.join(', ')}` : ''
  const page = `limit ${question.limit ?? -1} offset ${question.offset}`
  return (await executor.execute<Row>({ sql: `${sql} ${order} ${page}`, parameters })).rows
}

/** What the order decides; rows that tie in it may stand in any order. */
function keysOf(rows: readonly Row[], { order }: Question): unknown[] {
  return rows.map((row) => order.map(({ column }) => row[column]))
}

test('[H1] a fan-out gives what the same query gives on one merged table', async () => {
  let rowsSeen = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(4), anyRow), { maxLength: 30, size: 'max' }),
      fc.array(anyQuestion, { minLength: 3, maxLength: 6 }),
      async (rows, questions) => {
        const fleet = await open()
        try {
          for (const [i, [shard, row]] of rows.entries())
            await fleet.put(shard, { id: BigInt(i + 1), ...row })
          for (const question of questions) rowsSeen += await compare(fleet, question)
        } finally {
          await fleet.close()
        }
      },
    ),
    { numRuns: 100 },
  )
  expect(rowsSeen).toBeGreaterThan(500)
})

async function compare({ sharded, merged }: Fleet, question: Question): Promise<number> {
  const tied = { ...question, order: question.order.filter(({ column }) => column !== 'id') }
  const [got, expected] = [await askShards(sharded, tied), await askMerged(merged, tied)]
  expect(keysOf(got, tied)).toEqual(keysOf(expected, tied))
  expect(new Set(got.map(({ id }) => id)).size).toBe(got.length)
  // With a unique key at the end nothing is left to chance.
  const exact = {
    ...tied,
    order: [...tied.order, { column: 'id', direction: 'asc' as const, nulls: undefined }],
  }
  expect(await askShards(sharded, exact)).toEqual(await askMerged(merged, exact))
  return expected.length
}

test('[A6] ids of every size keep their order and their type', async () => {
  const fleet = await open()
  const ids = [9n, 10n, 100n, 2n ** 53n, 2n ** 53n + 1n, 10n ** 18n]
  for (const [i, id] of ids.entries())
    await fleet.put(i % 5, { id, n: null, big: id, ratio: null, name: null, data: null })
  for (const direction of ['asc', 'desc'] as const) {
    const statement = { sql: 'select id from t', parameters: [] }
    const { rows } = await fanOut(fleet.sharded, statement, { orderBy: [{ column: 'id', direction }] })
    expect(rows.map(({ id }) => id)).toEqual(direction === 'asc' ? ids : [...ids].reverse())
  }
  await fleet.close()
})

test.each([
  ['a comment at its end', 'select id from t -- all'],
  ['a block comment at its end', 'select id from t /* all */'],
  ['a line break at its end', 'select id from t\n'],
])('a statement with %s can be ordered', async (_, sql) => {
  const fleet = await open()
  await fleet.put(1, { id: 2n, n: null, big: null, ratio: null, name: null, data: null })
  await fleet.put(3, { id: 1n, n: null, big: null, ratio: null, name: null, data: null })
  const { rows } = await fanOut(fleet.sharded, { sql, parameters: [] }, { orderBy: [{ column: 'id' }] })
  expect(rows).toEqual([{ id: 1n }, { id: 2n }])
  await fleet.close()
})
