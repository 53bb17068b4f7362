import { sql } from 'kysely'
import type { Case } from './case.ts'

/** Queries in FROM: which of their columns are keys. */
export const derivedColumns: readonly Case[] = [
  [
    "a computed column under the key's name",
    (db) =>
      db
        .selectFrom((eb) =>
          eb
            .selectFrom('accounts')
            .select((e) => e('id', '+', 1n).as('id'))
            .as('a'),
        )
        .selectAll()
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    "a raw column under the key's name",
    (db) =>
      db
        .selectFrom((eb) => eb.selectFrom('accounts').select(sql`id + 1`.as('id')).as('a'))
        .selectAll()
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    "another column under the key's name",
    (db) =>
      db
        .selectFrom((eb) => eb.selectFrom('accounts').select('plan_id as id').as('a'))
        .selectAll()
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a key column and all columns',
    (db) =>
      db
        .selectFrom((eb) => eb.selectFrom('messages').selectAll().select('id as account_id').as('m'))
        .selectAll()
        .where('m.account_id', '=', 5n),
    'UNROUTED',
  ],
  [
    'all columns of two tables',
    (db) =>
      db
        .selectFrom((eb) =>
          eb
            .selectFrom('accounts as a')
            .innerJoin('messages as m', 'm.account_id', 'a.id')
            .selectAll()
            .as('x'),
        )
        .selectAll()
        .where('x.account_id', '=', 5n),
    'UNROUTED',
  ],
  [
    'all columns of one of two tables',
    (db) =>
      db
        .selectFrom((eb) =>
          eb
            .selectFrom('accounts as a')
            .innerJoin('messages as m', 'm.account_id', 'a.id')
            .selectAll('m')
            .as('x'),
        )
        .selectAll()
        .where('x.account_id', '=', 5n),
    1,
  ],
  [
    'one name for two columns',
    (db) =>
      db
        .selectFrom((eb) => eb.selectFrom('messages').select(['account_id', 'id as account_id']).as('m'))
        .selectAll()
        .where('m.account_id', '=', 5n),
    'UNROUTED',
  ],
  [
    'one name for two columns but for case',
    (db) =>
      db
        .selectFrom((eb) => eb.selectFrom('messages').select(['account_id', 'id as ACCOUNT_ID']).as('m'))
        .selectAll()
        .where('m.account_id', '=', 5n),
    'UNROUTED',
  ],
  [
    'an unnamed raw column beside the key',
    (db) =>
      db
        .selectFrom((eb) =>
          eb
            .selectFrom('messages')
            .select(['account_id', sql`id` as never])
            .as('m'),
        )
        .selectAll()
        .where('m.account_id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a query in FROM joined by key',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin(
          (eb) => eb.selectFrom('messages').select(['account_id', 'body']).as('m'),
          (j) => j.onRef('m.account_id', '=', 'a.id'),
        )
        .selectAll()
        .where('a.id', '=', 5n),
    1,
  ],
  [
    'a grouped query left joined by key',
    (db) =>
      db
        .selectFrom('accounts as a')
        .leftJoin(
          (eb) =>
            eb
              .selectFrom('messages')
              .select(['account_id', (e) => e.fn.countAll().as('n')])
              .groupBy('account_id')
              .as('m'),
          (j) => j.onRef('m.account_id', '=', 'a.id'),
        )
        .selectAll()
        .where('a.id', '=', 5n),
    1,
  ],
  [
    'a limited query left joined by key',
    (db) =>
      db
        .selectFrom('accounts as a')
        .leftJoin(
          (eb) => eb.selectFrom('messages').select(['account_id', 'body']).limit(3).as('m'),
          (j) => j.onRef('m.account_id', '=', 'a.id'),
        )
        .selectAll()
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a pinned query in FROM that pins a table',
    (db) =>
      db
        .selectFrom((eb) =>
          eb.selectFrom('messages').select('account_id').where('account_id', '=', 5n).limit(1).as('m'),
        )
        .innerJoin('accounts as a', 'a.id', 'm.account_id')
        .selectAll(),
    1,
  ],
  [
    'a query in FROM sees no neighbour',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin(
          (eb) =>
            eb
              .selectFrom('messages as m')
              .select('m.body')
              .whereRef('m.account_id', '=', 'a.id' as never)
              .as('m'),
          (j) => j.onTrue(),
        )
        .selectAll()
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a lateral query sees its neighbour',
    (db) =>
      db
        .selectFrom('accounts as a')
        .leftJoinLateral(
          (eb) =>
            eb
              .selectFrom('messages as m')
              .select('m.body')
              .whereRef('m.account_id', '=', 'a.id')
              .limit(3)
              .as('m'),
          (j) => j.onTrue(),
        )
        .selectAll()
        .where('a.id', '=', 5n),
    1,
  ],
  [
    'a lateral query, free',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoinLateral(
          (eb) => eb.selectFrom('messages as m').select('m.body').limit(3).as('m'),
          (j) => j.onTrue(),
        )
        .selectAll()
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'two levels of FROM',
    (db) =>
      db
        .selectFrom((eb) =>
          eb
            .selectFrom((e) => e.selectFrom('messages').select('account_id as k').as('i'))
            .select('i.k as kk')
            .as('o'),
        )
        .selectAll()
        .where('o.kk', '=', 5n),
    1,
  ],
  [
    'two levels of FROM, a limit inside',
    (db) =>
      db
        .selectFrom((eb) =>
          eb
            .selectFrom((e) => e.selectFrom('messages').select('account_id as k').limit(2).as('i'))
            .select('i.k as kk')
            .as('o'),
        )
        .selectAll()
        .where('o.kk', '=', 5n),
    'UNROUTED',
  ],
]
