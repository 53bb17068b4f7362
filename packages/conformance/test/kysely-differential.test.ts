import type { Executor } from '@shard/core'
import type { CompiledQuery } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, databases, withServer } from './databases.ts'
import { features } from './kysely/features.ts'
import { type KyselyFleet, openKyselyFleet, refill } from './kysely/fleet.ts'
import type { AnyDb } from './kysely/grammar.ts'
import { randomStatement } from './kysely/random-statement.ts'
import { allTables, type Table } from './kysely/tables.ts'

const SEED = Number(process.env.SHARD_SEED ?? 1)
const COUNTS = { sqlite: 20_000, postgres: 2_000, mysql: 2_000 }

for (const engine of databases) {
  withServer(engine.name, engine.availability, () => {
    describe(`random statements on ${engine.name}`, () => differential(engine))
  })
}

/** The same rows in one database and on four shards: what is routed gives the same, or is refused. */
function differential(engine: Database): void {
  let fleet: KyselyFleet
  beforeAll(async () => {
    fleet = await openKyselyFleet(engine)
  })
  afterAll(() => fleet?.close())

  test(`${COUNTS[engine.dialect]} of them are routed to the right rows, or refused`, async () => {
    const tally = { routed: 0, rows: 0, refused: 0, invalid: 0, writes: 0, confined: 0 }
    for (let i = 0; i < COUNTS[engine.dialect]; i++) {
      if (i % 400 === 0) await refill(fleet, SEED + i)
      await compareOne(fleet, engine, SEED * 1_000_003 + i, tally)
    }
    const share = ((100 * tally.refused) / COUNTS[engine.dialect]).toFixed(1)
    process.stdout.write(`${engine.name}, seed ${SEED}: ${share} % refused, ${JSON.stringify(tally)}\n`)
    expect(tally.routed).toBeGreaterThan(COUNTS[engine.dialect] / 3)
    expect(tally.rows).toBeGreaterThan(tally.routed)
    expect(tally.invalid).toBeLessThan(COUNTS[engine.dialect] / 10)
  }, 240_000)
}

async function compareOne(
  fleet: KyselyFleet,
  { dialect }: Database,
  seed: number,
  tally: Tally,
): Promise<void> {
  const { query, isConfined, writesTo } = randomStatement(fleet.many, seed, features[dialect])
  const compiled: CompiledQuery = query.compile()
  const told = `seed ${seed}: ${compiled.sql} -- ${compiled.parameters.join(', ')}`
  const routed = await outcomeOf(fleet.many, compiled)
  const isRefused = routed.code === 'UNROUTED' || routed.code === 'CROSS_SHARD'
  if (isConfined) tally.confined++
  if (isConfined && isRefused) expect.fail(`refused, and confined by construction: ${routed.error}\n${told}`)
  if (isRefused) {
    tally.refused++
    return
  }
  const expected = await outcomeOf(
    fleet.one,
    randomStatement(fleet.one, seed, features[dialect]).query.compile(),
  )
  if (expected.code !== null) tally.invalid++
  else tally.routed++
  tally.rows += expected.rows.length
  expect(routed.rows, told).toEqual(expected.rows)
  expect(routed.code, told).toBe(expected.code)
  expect(routed.affected, told).toBe(expected.affected)
  if (writesTo === null) return
  tally.writes++
  await expectSameTable(fleet, allTables.find(({ name }) => name === writesTo) as Table, told)
}

type Tally = Record<'routed' | 'rows' | 'refused' | 'invalid' | 'writes' | 'confined', number>

interface Outcome {
  readonly rows: readonly string[]
  readonly affected: bigint | undefined
  readonly code: string | null
  readonly error: unknown
}

async function outcomeOf(db: AnyDb, compiled: CompiledQuery): Promise<Outcome> {
  try {
    const { rows, numAffectedRows } = await db.executeQuery(compiled)
    return { rows: textsOf(rows), affected: numAffectedRows, code: null, error: null }
  } catch (error) {
    return { rows: [], affected: undefined, code: (error as { code?: string }).code ?? String(error), error }
  }
}

/** Rows without their order, which is left to chance where all of them are read. */
function textsOf(rows: readonly unknown[]): string[] {
  return rows
    .map((row) => JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? `${value}` : value)))
    .sort()
}

async function expectSameTable(
  { merged, shards }: KyselyFleet,
  { name }: Table,
  told: string,
): Promise<void> {
  const read = async (executor: Executor): Promise<readonly unknown[]> =>
    (await executor.execute({ sql: `select * from ${name}`, parameters: [] })).rows
  const parts = await Promise.all(shards.map(read))
  expect(textsOf(parts.flat()), told).toEqual(textsOf(await read(merged)))
}
