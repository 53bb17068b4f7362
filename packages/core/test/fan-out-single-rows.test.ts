import { expect, test } from 'vitest'
import { aggregate } from '../src/aggregate.ts'
import type { DialectName } from '../src/executor.ts'
import { checkSingleRows } from '../src/fan-out/single-rows.ts'
import { fanOut } from '../src/fan-out.ts'
import { streamFanOut } from '../src/stream-fan-out.ts'
import { fakeExecutor } from './fake-executor.ts'
import { fleetOf, rowsOf } from './fan-out-fleet.ts'
import { refusal, rejection } from './refusal.ts'

const asking = { shards: [0, 1], concurrency: 1, timeoutMs: 1, signal: undefined, perShard: false }

function check(sql: string, dialect: DialectName = 'sqlite', more: Partial<typeof asking> = {}): void {
  const executor = fakeExecutor(() => [], dialect)
  checkSingleRows(executor, { sql, parameters: [] }, { ...asking, ...more })
}

const refused = [
  'select distinct v from t',
  'SELECT\n DISTINCT v FROM t',
  'select /* all */ distinct v from t',
  'select v, count(*) as n from t group by v',
  'select v from t group by v having v > 1',
  'select count(*) from t',
  'select 1 + Sum (v) from t',
  'select max(v) from t',
  'select total(v) from t',
  'select group_concat(v, 1) from t',
  'select row_number() over (order by v) as r from t',
  'select sum(v) filter (where v > 0) over w as r from t window w as (order by v)',
  'select v from t union select v from s',
  'select v from t intersect select v from s',
  'select v from t except select v from s',
  'select v from t limit 2',
  'select v from t fetch first 2 rows only',
  'with s as (select v from t) select distinct v from s',
  'select percentile_cont(0.5) within group (order by v) from t',
]

const allowed = [
  'select v from t',
  'select v from t union all select v from s',
  'select v from t where v is not distinct from w',
  'select v, (select count(*) from s where s.id = t.id) as n from t',
  'select v from t where id in (select id from s group by id limit 3)',
  'with s as (select count(*) as n from t) select n from s',
  'select max(v, w) as m, min(coalesce(v, 1), w) as n from t',
  "select v from t where name = 'select distinct' -- group by v\n",
  'select "count", "group by" from t as "limit"',
  'select count, sum, total_sum(v), account(v), t.limits from t',
  'insert into t (v) values (1) returning v',
  'select v from t order by v',
]

test.each(refused)('each shard would answer for its own rows: %s', (sql) => {
  for (const dialect of ['sqlite', 'postgres', 'mysql'] as const)
    refusal('INVALID_ARGUMENT', () => check(sql, dialect))
  check(sql, 'sqlite', { perShard: true })
  check(sql, 'sqlite', { shards: [1] })
})

test("OFFSET alone is PostgreSQL's", () => {
  refusal('INVALID_ARGUMENT', () => check('select v from t offset 5', 'postgres'))
  check('select t.offset from t', 'postgres')
  check('select offset from t order by offset', 'sqlite')
})

test.each(allowed)('plain rows: %s', (sql) => check(sql))

test('no shard is asked; perShard is the way around', async () => {
  const fleet = fleetOf(rowsOf(1), rowsOf(2))
  const distinct = { sql: 'select distinct v from t', parameters: [] }
  const orderBy = [{ column: 'v' }]
  const reading = streamFanOut(fleet.executor, distinct, { orderBy }).next()
  await rejection('INVALID_ARGUMENT', reading)
  await rejection('INVALID_ARGUMENT', fanOut(fleet.executor, distinct))
  await rejection('INVALID_ARGUMENT', aggregate(fleet.executor, distinct, { sum: ['v'] }))
  for (const value of [1, 'yes', null]) {
    await rejection(
      'INVALID_ARGUMENT',
      fanOut(fleet.executor, distinct, { perShard: value as unknown as true }),
    )
  }
  expect(fleet.shards.map(({ calls }) => calls.length)).toEqual([0, 0])
  expect((await fanOut(fleet.executor, distinct, { perShard: true })).rows).toHaveLength(2)
})

test('hostile text costs no more than its length', () => {
  const started = performance.now()
  for (const part of ['(', ')', ',', 'select ', '"', "'", '/*', '--', 'min ', ')over', 'count '])
    check(`select v from t where ${part.repeat(100_000 / part.length)}`)
  expect(performance.now() - started).toBeLessThan(5_000)
})
