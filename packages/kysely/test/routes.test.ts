import { CamelCasePlugin, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { explainRoute } from '../src/explain-route.ts'
import { onGlobal, onShard, withRoute } from '../src/routes.ts'
import { shardedKysely } from './fake-fleet.ts'

const places = (calls: readonly { place: unknown }[]): unknown[] => calls.map(({ place }) => place)

describe('a Kysely that was told where to go', () => {
  test('sends raw statements, writes and streams there', async () => {
    const { db, calls } = shardedKysely()
    await sql`select 1`.execute(onShard(db, 2))
    await onGlobal(db).selectFrom('accounts').selectAll().execute()
    await withRoute(db, 7n).deleteFrom('messages').execute()
    await withRoute(db, 'eve').selectFrom('profiles').selectAll().execute()
    for await (const _ of onShard(db, 3).selectFrom('accounts').selectAll().stream());
    expect(places(calls)).toEqual([2, 'global', 3, 1, 3])
  })

  test('leaves its fragments as they are', async () => {
    const { db, calls } = shardedKysely()
    await onShard(db, 1).selectFrom('accounts').select(sql<number>`1 or 2`.as('x')).execute()
    expect(calls[0]?.statement.sql).toBe('select 1 or 2 as "x" from "accounts"')
  })

  test('tells nobody else: a raw builder that was told once is not told for good', async () => {
    const { db, calls } = shardedKysely()
    const statement = sql`select 1`
    await statement.execute(onShard(db, 2))
    await expect(statement.execute(db)).rejects.toMatchObject({ code: 'UNROUTED' })
    await statement.execute(onShard(db, 3))
    expect(places(calls)).toEqual([2, 3])
  })

  test('goes on with plugins that come before and after', async () => {
    const { db, calls } = shardedKysely('sqlite', [new CamelCasePlugin()])
    await onShard(db, 2)
      .withPlugin(new CamelCasePlugin())
      .selectFrom('accounts')
      .select('planId' as 'plan_id')
      .execute()
    expect(places(calls)).toEqual([2])
    expect(calls[0]?.statement.sql).toBe('select "plan_id" from "accounts"')
  })

  test('explains itself', () => {
    const { db } = shardedKysely()
    const told = explainRoute(db, onShard(db, 2).selectFrom('accounts').selectAll())
    expect(told).toMatchObject({ place: 2, refusal: null, isTold: true })
  })

  test.each([-1, 2 ** 24, 1.5, Number.NaN, '1' as never])('is refused for shard %s', (shard) => {
    expect(() => onShard(shardedKysely().db, shard)).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
    )
  })
})

describe('plugins', () => {
  test('names are resolved as the plugins leave them', async () => {
    const { db, calls } = shardedKysely('postgres', [new CamelCasePlugin()])
    const query = db
      .selectFrom('messages')
      .select('body')
      .where('accountId' as 'account_id', '=', 5n)
    await query.execute()
    expect(places(calls)).toEqual([1])
  })
})

describe('an explanation', () => {
  test('says of each use of a table whether it is confined, and why not', () => {
    const { db } = shardedKysely()
    const query = db
      .selectFrom('accounts as a')
      .leftJoin('messages as m', (join) => join.onRef('m.account_id', '=', 'a.id').on('a.id', '=', 5n))
      .innerJoin('countries as c', 'c.code', 'a.country')
      .selectAll()
    const { place, refusal, tables } = explainRoute(db, query)
    expect(place).toBeNull()
    expect(refusal).toMatchObject({ code: 'UNROUTED' })
    expect(tables).toEqual([
      {
        table: 'accounts',
        alias: 'a',
        kind: 'sharded',
        key: 'id',
        isConfined: false,
        reason: 'the ON of an outer join does not confine the side that it keeps',
      },
      { table: 'messages', alias: 'm', kind: 'sharded', key: 'account_id', isConfined: true, reason: null },
      { table: 'countries', alias: 'c', kind: 'reference', key: null, isConfined: null, reason: null },
    ])
  })

  test('names table, key and reason in the error', async () => {
    const { db } = shardedKysely()
    await expect(db.selectFrom('messages').selectAll().execute()).rejects.toMatchObject({
      code: 'UNROUTED',
      table: 'messages',
      key: 'account_id',
      reason: 'nothing pins it to one shard',
    })
    await expect(
      db.selectFrom('messages').selectAll().where('account_id', 'in', [5n, 6n]).execute(),
    ).rejects.toMatchObject({ code: 'CROSS_SHARD', shards: [1, 2] })
  })
})

describe('a value', () => {
  test('of canonical text is compared as the id that it is', async () => {
    const { db, calls } = shardedKysely('mysql')
    await db
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', '5' as never)
      .execute()
    expect(calls[0]?.statement.parameters).toEqual([5n])
  })

  test('is judged each time, also when the plan is remembered', async () => {
    const { db, calls } = shardedKysely()
    const find = (id: unknown) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', id as bigint)
        .execute()
    await find(5n)
    await find(6n)
    await expect(find(5)).rejects.toMatchObject({ code: 'UNROUTED' })
    await expect(find(null)).rejects.toMatchObject({ code: 'UNROUTED' })
    await find(7n)
    expect(places(calls)).toEqual([1, 2, 3])
  })

  test('that stands in two places of one tree is two values of another', async () => {
    const { db, calls } = shardedKysely()
    const shared = sql.val(5n)
    const find = (id: typeof shared, plan: unknown) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where('plan_id', '=', plan as number)
        .where('id', '=', id as never)
        .execute()
    await find(shared, shared)
    await find(sql.val(6n) as typeof shared, 9)
    expect(places(calls)).toEqual([1, 2])
  })
})
