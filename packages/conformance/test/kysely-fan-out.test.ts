import { fanOut, streamFanOut } from '@shard/kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, databases, withServer } from './databases.ts'
import { Dice } from './kysely/dice.ts'
import { features } from './kysely/features.ts'
import { type KyselyFleet, openKyselyFleet, refill } from './kysely/fleet.ts'
import { type AnyBuilder, type AnyDb, Grammar } from './kysely/grammar.ts'
import { randomSelect } from './kysely/random-select.ts'

const COUNTS = { sqlite: 600, postgres: 150, mysql: 150 }

for (const engine of databases) {
  withServer(engine.name, engine.availability, () => {
    describe(`fan-outs on ${engine.name}`, () => suite(engine))
  })
}

function suite(engine: Database): void {
  let fleet: KyselyFleet
  beforeAll(async () => {
    fleet = await openKyselyFleet(engine)
    await refill(fleet, 7)
  })
  afterAll(() => fleet?.close())

  test(`${COUNTS[engine.dialect]} random queries give what one table gives`, async () => {
    const tally = { rows: 0, refused: 0, invalid: 0 }
    for (let seed = 1; seed <= COUNTS[engine.dialect]; seed++) {
      await compareOne(fleet, (db) => randomQuestion(db, seed, engine), tally)
    }
    process.stdout.write(`fan-outs on ${engine.name}: ${JSON.stringify(tally)}\n`)
    expect(tally.rows).toBeGreaterThan(COUNTS[engine.dialect])
    expect(tally.refused).toBeLessThan(COUNTS[engine.dialect] / 2)
    expect(tally.invalid).toBeLessThan(COUNTS[engine.dialect] / 10)
  }, 120_000)

  test('an order by what is not selected, and nulls as the engine has them', async () => {
    for (const direction of ['asc', 'desc'] as const) {
      const query = (db: AnyDb): AnyBuilder =>
        db
          .selectFrom('messages as m')
          .innerJoin('accounts as a', 'a.id', 'm.account_id')
          .select(['m.body', 'a.name'])
          .orderBy('m.parent_id', direction)
          .orderBy('m.account_id')
          .orderBy('m.id')
          .limit(25)
          .offset(3)
      const { rows } = await fanOut<object>(fleet.many, query(fleet.many))
      expect(rows).toEqual(await query(fleet.one).execute())
      expect(rows).toHaveLength(25)
      const streamed: unknown[] = []
      for await (const row of streamFanOut(fleet.many, query(fleet.many), { pageRows: 4 })) streamed.push(row)
      expect(streamed).toEqual(rows)
    }
  })

  test('pages by cursor give the whole list', async () => {
    const list = (db: AnyDb): AnyBuilder =>
      db
        .selectFrom('messages')
        .select(['body', 'account_id', 'id'])
        .orderBy('body')
        .orderBy('account_id')
        .orderBy('id')
    const pages: unknown[] = []
    let after: string | null = null
    do {
      const page: { rows: readonly unknown[]; cursor: string | null } = await fanOut(
        fleet.many,
        list(fleet.many).limit(7),
        {
          after,
        },
      )
      pages.push(...page.rows)
      after = page.cursor
    } while (after !== null)
    expect(pages).toEqual(await list(fleet.one).execute())
  })
}

interface Tally {
  rows: number
  refused: number
  invalid: number
}

async function compareOne(
  { one, many }: KyselyFleet,
  query: (db: AnyDb) => AnyBuilder,
  tally: Tally,
): Promise<void> {
  const told = query(one).compile().sql
  const asked = await codeOr(fanOut<object>(many, query(many), { concurrency: 4 }))
  if (asked === 'UNROUTED') {
    tally.refused++
    return
  }
  const expected = await codeOr(query(one).execute() as Promise<object[]>)
  if (typeof expected === 'string') tally.invalid++
  if (typeof asked === 'string' || typeof expected === 'string') {
    expect(typeof asked, `${told}: ${asked}`).toBe(typeof expected)
    return
  }
  expect(asked.rows.map(plain), told).toEqual(expected.map(plain))
  tally.rows += expected.length
}

async function codeOr<T>(call: Promise<T>): Promise<T | string> {
  try {
    return await call
  } catch (error) {
    const { code } = error as { code?: string }
    return code === 'UNROUTED' ? code : String(error)
  }
}

/** A query of all shards: of rows in an order that leaves none to chance, or of figures. */
function randomQuestion(db: AnyDb, seed: number, { dialect }: Database): AnyBuilder {
  const dice = new Dice(seed)
  const grammar = new Grammar(dice, 0, features[dialect].joins)
  const { builder, outputs } = randomSelect(db, grammar, {
    outer: [],
    types: ['int', dice.pick(['int', 'text']), 'int'],
    givesKey: true,
    pinnedOutside: true,
    isUncut: true,
    depth: dice.below(2),
  })
  const names = outputs.map(({ name }) => name)
  if (dice.chance(0.4)) return figures(db, dice, builder)
  const ordered = names.reduce((all, name) => all.orderBy(name, dice.pick(['asc', 'desc'])), builder)
  return dice.chance(0.5) ? ordered.limit(1 + dice.below(9)).offset(dice.below(5)) : ordered
}

/** Figures by a column that is not the key, so that groups lie on several shards. */
function figures(db: AnyDb, dice: Dice, rows: AnyBuilder): AnyBuilder {
  const { fn } = db
  const from = db.selectFrom(rows.as('r'))
  const all = [
    fn.countAll().as('n'),
    fn.count('r.c2').as('k'),
    fn.min('r.c2').as('least'),
    fn.max('r.c1').as('most'),
  ]
  if (dice.chance(0.3)) return from.select(all)
  const grouped = from.select(['r.c1', ...all]).groupBy('r.c1')
  const ordered = grouped.orderBy('n', 'desc').orderBy('r.c1', dice.pick(['asc', 'desc']))
  return dice.chance(0.5) ? ordered.limit(2 + dice.below(4)) : ordered
}

function plain(row: object): unknown {
  return Object.fromEntries(Object.entries(row).map(([name, value]) => [name, `${typeof value} ${value}`]))
}
