import { aggregate, type DialectName, type Executor, fanOut, streamFanOut } from '@shard/core'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../src/executor/check.ts'
import { type Database, databases, withServer } from './databases.ts'
import { kindsOf } from './fan-out-kinds.ts'
import {
  anyQuestion,
  anyRow,
  askMerged,
  columns,
  common,
  countsMerged,
  createTable,
  plain,
  plainStatement,
  type Question,
  type Row,
  rising,
} from './fan-out-questions.ts'
import { type Fleet, openFleet } from './fleets.ts'

const QUESTIONS = 2_000
const ROWS = 160

for (const engine of databases) {
  withServer(engine.name, engine.availability, () => {
    describe(`five shards of ${engine.name}`, () =>
      differential(
        Array.from({ length: 5 }, () => engine),
        engine,
      ))
  })
}

const [sqlite, postgres] = databases as [Database, Database]
withServer('sqlite and postgres', bothOf(sqlite, postgres), () => {
  describe('a fleet that mixes SQLite and PostgreSQL', () =>
    differential([sqlite, postgres, sqlite, postgres, sqlite], postgres))
})

function bothOf(one: Database, other: Database): Database['availability'] {
  return one.availability.state === 'configured' ? other.availability : one.availability
}

/** [H1] The same rows on five shards and in one table; every question is put to both. */
function differential(engines: readonly Database[], mergedOn: Database): void {
  const kinds = kindsOf(new Set(engines.map(({ dialect }) => dialect)))
  let shards: Fleet
  let merged: Fleet
  beforeAll(async () => {
    shards = await openFleet(engines)
    merged = await openFleet([mergedOn])
    const rows = fc
      .sample(anyRow(kinds), { numRuns: ROWS, seed: 42 })
      .map((row, i): Row => ({ id: BigInt(i + 1), ...row }))
    const create = (dialect: DialectName) => sql(createTable(dialect, kinds))
    await merged.executor.execute(create(mergedOn.dialect), { route: { shard: 0 } })
    for (const [shard, { dialect }] of engines.entries())
      await shards.executor.execute(create(dialect), { route: { shard } })
    const all = ['id', ...columns, ...kinds.map(({ name }) => name)]
    for (const [i, row] of rows.entries()) {
      const insert = sql(`insert into t values (${all.map(() => '?').join(', ')})`, ...all.map((c) => row[c]))
      await merged.executor.execute(insert, { route: { shard: 0 } })
      await shards.executor.execute(insert, { route: { shard: i % engines.length } })
    }
  })
  afterAll(async () => {
    await shards?.close()
    await merged?.close()
  })
  const askOne = (question: Question): Promise<readonly Row[]> =>
    askMerged(onShardZero(merged.executor, mergedOn), question, kinds)

  test(`${QUESTIONS} questions are answered alike`, async () => {
    let rowsSeen = 0
    const property = fc.asyncProperty(anyQuestion(kinds), async (question) => {
      const { orderBy, limit, offset } = question
      const options = { orderBy, offset, ...(limit !== undefined && { limit }) }
      const { rows } = await fanOut<Row>(shards.executor, plainStatement(question, kinds), options)
      expect(rows.map(common)).toEqual((await askOne(question)).map(common))
      rowsSeen += rows.length
    })
    await fc.assert(property, { numRuns: QUESTIONS })
    expect(rowsSeen).toBeGreaterThan(QUESTIONS)
  }, 180_000)

  test('figures by group are those of one table', async () => {
    const merged1 = onShardZero(merged.executor, mergedOn)
    for (const groupBy of [[], ['n'], ['name'], ['name', 'n'], ['big'], ['data', 'n']]) {
      const got = await aggregate(shards.executor, sql('select * from t'), {
        groupBy,
        count: true,
        sum: ['big'],
        min: ['name', 'ratio'],
        max: ['name', 'ratio'],
        avg: ['big'],
      })
      const expected = await aggregateMerged(merged1, groupBy)
      expect(inOrder(got.map(({ group, ...rest }) => ({ group: plain(group), ...rest })))).toEqual(
        inOrder(expected),
      )
      expect(got.length).toBeGreaterThan(0)
    }
    const none = await aggregate(shards.executor, sql('select * from t where id < 0'), {
      count: true,
      sum: ['big'],
    })
    expect(none).toMatchObject([{ count: 0n, sum: { big: null } }])
  })

  test('figures of the kinds that an engine orders in a way of its own', async () => {
    const merged1 = onShardZero(merged.executor, mergedOn)
    for (const { name, isNumber } of kinds) {
      const groups = await aggregate(shards.executor, sql('select * from t'), {
        count: true,
        groupBy: [name],
      })
      expect(groups.map(({ count }) => count).sort(rising)).toEqual(await countsMerged(merged1, name))
      if (!isNumber) continue
      for (const where of [
        'true',
        "price < 'NaN'",
        "price < 'Infinity'",
        'price between -10 and 10',
        'id < 0',
      ]) {
        const from = `from t where ${mergedOn.dialect === 'postgres' && kinds.length > 1 ? where : where.replace(/.*'.*/, 'id > 9')}`
        const statement = sql(`select * ${from}`)
        const [got] = await aggregate(shards.executor, statement, { sum: [name], min: [name], max: [name] })
        const { rows } = await merged1.execute<Row>(
          sql(`select sum(${name}) as s, min(${name}) as least, max(${name}) as greatest ${from}`),
        )
        const told = [got?.sum[name], got?.min[name], got?.max[name]]
        expect(told.map(number)).toEqual([rows[0]?.s, rows[0]?.least, rows[0]?.greatest].map(number))
      }
    }
  })

  test('a stream refuses an order that cannot tell two rows apart, wherever its pages end', async () => {
    for (const pageRows of [1, 2, 3, 50]) {
      const reading = async (): Promise<void> => {
        const orderBy = [{ column: 'n' }]
        for await (const _ of streamFanOut(shards.executor, sql('select n from t'), { orderBy, pageRows }));
      }
      await expect(reading()).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    }
  })

  test('pages by cursor, and a stream, give the whole list', async () => {
    const property = fc.asyncProperty(
      anyQuestion(kinds),
      fc.integer({ min: 1, max: 50 }),
      async (asked, limit) => {
        const question = { ...asked, limit: undefined, offset: 0 }
        const { orderBy } = question
        const expected = (await askOne(question)).map(common)
        const paged: Row[] = []
        let after: string | null = null
        do {
          const page: { rows: readonly Row[]; cursor: string | null } = await fanOut<Row>(
            shards.executor,
            plainStatement(question, kinds),
            { orderBy, limit, after },
          )
          paged.push(...page.rows.map(common))
          after = page.cursor
        } while (after !== null)
        expect(paged).toEqual(expected)
        const streamed: Row[] = []
        const options = { orderBy, pageRows: limit }
        for await (const row of streamFanOut<Row>(
          shards.executor,
          plainStatement(question, kinds),
          options,
        )) {
          streamed.push(common(row))
        }
        expect(streamed).toEqual(expected)
      },
    )
    await fc.assert(property, { numRuns: 60 })
  }, 180_000)
}

/** A decimal without the zeros at its end, which each engine adds as it likes. */
function number(value: unknown): string {
  const text = String(value)
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text
}

/** Sums, extremes and counts by group, as the engine itself gives them on one table. */
async function aggregateMerged(executor: Executor, groupBy: readonly string[]): Promise<unknown[]> {
  const { rows } = await executor.execute<Row>({
    sql: `select id, ${columns.join(', ')} from t`,
    parameters: [],
  })
  const groups = new Map<string, Row[]>()
  for (const row of rows.map(plain)) {
    const key = JSON.stringify(groupBy.map((column) => [typeof row[column], String(row[column])]))
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return [...groups.values()].map((members) => expectedGroup(members, groupBy))
}

/** Groups come in no order. */
function inOrder(groups: readonly unknown[]): unknown[] {
  const text = (value: unknown): string =>
    JSON.stringify(value, (_, v) =>
      typeof v === 'bigint' ? v.toString() : v instanceof Uint8Array ? [...v] : v,
    )
  return groups.map(text).sort()
}

function expectedGroup(rows: readonly Row[], groupBy: readonly string[]): unknown {
  const present = (column: string): unknown[] =>
    rows.map((row) => row[column]).filter((value) => value !== null)
  const big = present('big') as bigint[]
  const names = (present('name') as string[]).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  const sum = big.length === 0 ? null : big.reduce((total, value) => total + value, 0n)
  const ratios = (present('ratio') as number[]).sort((a, b) => a - b)
  return {
    group: Object.fromEntries(groupBy.map((column) => [column, rows[0]?.[column]])),
    count: BigInt(rows.length),
    sum: { big: sum },
    min: { name: names[0] ?? null, ratio: ratios[0] ?? null },
    max: { name: names.at(-1) ?? null, ratio: ratios.at(-1) ?? null },
    avg: { big: { sum, count: BigInt(big.length) } },
  }
}

function onShardZero(executor: Executor, { dialect }: Database): Executor {
  return {
    ...executor,
    dialect,
    execute: (statement, options) => executor.execute(statement, { ...options, route: { shard: 0 } }),
  }
}
