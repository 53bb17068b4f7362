import { type Compilable, Kysely, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { fanOut, streamFanOut } from '../src/fan-out.ts'
import { kyselyOf } from '../src/kysely-of.ts'
import { onShard } from '../src/routes.ts'
import { ShardDialect } from '../src/shard-dialect.ts'
import { fakeDatabase, shardedKysely, type Tables, tables } from './fake-fleet.ts'

type Build = (db: Kysely<Tables>) => Compilable<unknown>

const refused: Record<string, Build> = {
  'two tables that are not joined by key': (db) =>
    db.selectFrom('accounts as a').innerJoin('messages as m', 'm.id', 'a.id').selectAll(),
  'a free sub-query': (db) =>
    db
      .selectFrom('accounts')
      .selectAll()
      .where((eb) => eb.exists(eb.selectFrom('messages').select('id'))),
  'a sub-query that is pinned to one shard': (db) =>
    db
      .selectFrom('accounts')
      .selectAll()
      .where((eb) => eb.exists(eb.selectFrom('messages').select('id').where('account_id', '=', 5n))),
  'a reference table that keeps its rows': (db) =>
    db.selectFrom('countries as c').leftJoin('accounts as a', 'a.country', 'c.code').selectAll(),
  'a reference table that a full join keeps': (db) =>
    db.selectFrom('accounts as a').fullJoin('countries as c', 'a.country', 'c.code').selectAll(),
  'a reference table alone': (db) => db.selectFrom('countries').selectAll(),
  'a global table': (db) => db.selectFrom('plans').selectAll(),
  'a limit inside': (db) =>
    db.selectFrom((eb) => eb.selectFrom('messages').selectAll().limit(5).as('m')).selectAll(),
  'a UNION': (db) => db.selectFrom('messages').select('id').union(db.selectFrom('messages').select('id')),
  'DISTINCT without the key': (db) => db.selectFrom('messages').select('body').distinct(),
  'DISTINCT ON': (db) => db.selectFrom('messages').distinctOn('account_id').selectAll(),
  'a window': (db) =>
    db.selectFrom('messages').select((eb) =>
      eb.fn
        .countAll()
        .over((over) => over.partitionBy('body'))
        .as('n'),
    ),
  'a raw window': (db) => db.selectFrom('messages').select(sql`row_number() over (order by id)`.as('n')),
  'count of distinct values': (db) =>
    db.selectFrom('messages').select((eb) => eb.fn.count('body').distinct().as('n')),
  'a figure with a filter': (db) =>
    db.selectFrom('messages').select((eb) => eb.fn.countAll().filterWhere('id', '>', 1n).as('n')),
  'a function that may fold rows': (db) =>
    db.selectFrom('messages').select((eb) => eb.fn<string>('group_concat', ['body']).as('all')),
  'a raw count': (db) => db.selectFrom('messages').select(sql`count(*)`.as('n')),
  'a figure inside of another expression': (db) =>
    db.selectFrom('messages').select((eb) => eb(eb.fn.countAll<number>(), '+', 1).as('n')),
  'HAVING without the key': (db) =>
    db
      .selectFrom('messages')
      .select(['body', (eb) => eb.fn.countAll().as('n')])
      .groupBy('body')
      .having((eb) => eb.fn.countAll(), '>', 1),
  'an order by a number': (db) => db.selectFrom('messages').select('id').orderBy(sql`1`),
  'figures by what is not selected': (db) =>
    db
      .selectFrom('messages')
      .select('body')
      .groupBy('body')
      .orderBy((eb) => eb.fn.countAll()),
  'FOR UPDATE': (db) => db.selectFrom('messages').selectAll().forUpdate(),
  'a raw OR beside a condition': (db) =>
    db.selectFrom('messages').selectAll().where('id', '>', 1n).where(sql<boolean>`1 = 1 or 2 = 2`),
}

describe('a fan-out is refused for', () => {
  test.each(Object.entries(refused))('%s', async (_, build) => {
    const { db, calls } = shardedKysely('postgres')
    await expect(fanOut(db, build(db))).rejects.toMatchObject({ code: 'UNROUTED' })
    await expect(streamFanOut(db, build(db)).next()).rejects.toMatchObject({ code: 'UNROUTED' })
    expect(calls).toEqual([])
  })

  test('a transaction, a query that was told, and a Kysely without tables', async () => {
    const { db, executor } = shardedKysely()
    const all =
      (on: Kysely<Tables>): Build =>
      () =>
        on.selectFrom('messages').selectAll()
    const wrong = { code: 'INVALID_ARGUMENT' }
    await db.transaction().execute(async (trx) => {
      await expect(fanOut(trx, all(trx)(trx))).rejects.toMatchObject(wrong)
    })
    await expect(fanOut(db, all(onShard(db, 1))(db))).rejects.toMatchObject(wrong)
    await expect(fanOut(kyselyOf(executor), all(db)(db))).rejects.toMatchObject(wrong)
    await expect(fanOut({} as never, all(db)(db))).rejects.toMatchObject(wrong)
  })

  test('figures, page by page', async () => {
    const { db } = shardedKysely()
    const count = db.selectFrom('messages').select((eb) => eb.fn.countAll().as('n'))
    await expect(streamFanOut(db, count).next()).rejects.toMatchObject({ code: 'UNROUTED' })
    await expect(fanOut(db, count, { after: 'x' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    await expect(fanOut(db, count, { onFailure: 'partial' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    })
  })
})

test('a fan-out asks each shard for what one page needs', async () => {
  const { db, calls } = shardedKysely()
  await fanOut(db, db.selectFrom('messages').select('body').limit(5).offset(2))
  expect(calls.map(({ place }) => place)).toEqual([0, 1, 2, 3])
  expect(calls[0]?.statement.sql).toContain('(select "body" from "messages"')
})

test('one database is a fleet of one', async () => {
  const calls: { place: unknown }[] = []
  const executor = fakeDatabase('sqlite', 'global', calls as never)
  const db = new Kysely<Tables>({ dialect: new ShardDialect<Tables>({ executor, tables }) })
  const { shards } = await fanOut(db, db.selectFrom('messages').select('body'))
  expect([shards, calls.length]).toEqual([[0], 1])
})
