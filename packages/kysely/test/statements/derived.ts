import { sql } from 'kysely'
import type { Case } from './case.ts'

/** Queries in FROM: where a filter outside is one inside. */
export const derived: readonly Case[] = [
  [
    'a query in FROM, pinned inside',
    (db) =>
      db
        .selectFrom((eb) =>
          eb.selectFrom('messages').select(['id', 'account_id']).where('account_id', '=', 5n).as('m'),
        )
        .selectAll(),
    1,
  ],
  [
    'a query in FROM, free',
    (db) => db.selectFrom((eb) => eb.selectFrom('messages').select(['id', 'account_id']).as('m')).selectAll(),
    'UNROUTED',
  ],
  [
    'a query in FROM, pinned outside',
    (db) =>
      db
        .selectFrom((eb) => eb.selectFrom('messages').select(['id', 'account_id']).as('m'))
        .selectAll()
        .where('m.account_id', '=', 5n),
    1,
  ],
  [
    'a query in FROM, pinned outside by another name',
    (db) =>
      db
        .selectFrom((eb) => eb.selectFrom('messages').select('account_id as owner').as('m'))
        .selectAll()
        .where('m.owner', '=', 5n),
    1,
  ],
  [
    'a query in FROM, all its columns',
    (db) =>
      db
        .selectFrom((eb) => eb.selectFrom('messages').selectAll().as('m'))
        .selectAll()
        .where('m.account_id', '=', 5n),
    1,
  ],
  [
    'a query in FROM with a limit, pinned outside',
    (db) =>
      db
        .selectFrom((eb) => eb.selectFrom('messages').selectAll().limit(5).as('m'))
        .selectAll()
        .where('m.account_id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a query in FROM with an offset, pinned outside',
    (db) =>
      db
        .selectFrom((eb) => eb.selectFrom('messages').selectAll().offset(5).as('m'))
        .selectAll()
        .where('m.account_id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a query in FROM grouped by key, pinned outside',
    (db) =>
      db
        .selectFrom((eb) =>
          eb
            .selectFrom('messages')
            .select(['account_id', (e) => e.fn.countAll().as('n')])
            .groupBy('account_id')
            .as('m'),
        )
        .selectAll()
        .where('m.account_id', '=', 5n),
    1,
  ],
  [
    'a query in FROM grouped by another column',
    (db) =>
      db
        .selectFrom((eb) =>
          eb
            .selectFrom('messages')
            .select(['account_id', (e) => e.fn.max('id').as('n')])
            .groupBy('parent_id')
            .as('m'),
        )
        .selectAll()
        .where('m.account_id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a query in FROM that counts',
    (db) =>
      db
        .selectFrom((eb) =>
          eb
            .selectFrom('messages')
            .select(['account_id', (e) => e.fn.countAll().as('n')])
            .as('m'),
        )
        .selectAll()
        .where('m.account_id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a query in FROM with a function that may fold rows',
    (db) =>
      db
        .selectFrom((eb) =>
          eb
            .selectFrom('messages')
            .select(['account_id', (e) => e.fn('group_concat', ['body']).as('n')])
            .as('m'),
        )
        .selectAll()
        .where('m.account_id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a query in FROM with a window',
    (db) =>
      db
        .selectFrom((eb) =>
          eb
            .selectFrom('messages')
            .select(['account_id', (e) => e.fn.agg('row_number').over().as('n')])
            .as('m'),
        )
        .selectAll()
        .where('m.account_id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a query in FROM with a raw window',
    (db) =>
      db
        .selectFrom((eb) =>
          eb
            .selectFrom('messages')
            .select(['account_id', sql`row_number() over (order by id)`.as('n')])
            .as('m'),
        )
        .selectAll()
        .where('m.account_id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a query in FROM, distinct on',
    (db) =>
      db
        .selectFrom((eb) => eb.selectFrom('messages').selectAll().distinctOn('body').as('m'))
        .selectAll()
        .where('m.account_id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a query in FROM, distinct',
    (db) =>
      db
        .selectFrom((eb) => eb.selectFrom('messages').select('account_id').distinct().as('m'))
        .selectAll()
        .where('m.account_id', '=', 5n),
    1,
  ],
  [
    'a query in FROM grouped by a name that the select list gives to another column',
    (db) =>
      db
        .selectFrom((eb) =>
          eb
            .selectFrom('messages')
            .select(['account_id as k', 'id as account_id'])
            .groupBy('account_id')
            .as('m'),
        )
        .selectAll()
        .where('m.k', '=', 5n),
    'UNROUTED',
  ],
]
