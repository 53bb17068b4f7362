import type { Case } from './case.ts'

/** Tables beside each other, of other kinds and other keys. */
export const otherJoins: readonly Case[] = [
  [
    'two tables in FROM',
    (db) =>
      db
        .selectFrom(['accounts as a', 'messages as m'])
        .selectAll()
        .where('a.id', '=', 5n)
        .whereRef('m.account_id', '=', 'a.id'),
    1,
  ],
  [
    'two tables in FROM, one free',
    (db) => db.selectFrom(['accounts as a', 'messages as m']).selectAll().where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a cross join',
    (db) => db.selectFrom('accounts as a').crossJoin('messages as m').selectAll().where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a cross join, both pinned',
    (db) =>
      db
        .selectFrom('accounts as a')
        .crossJoin('messages as m')
        .selectAll()
        .where('a.id', '=', 5n)
        .where('m.account_id', '=', 5n),
    1,
  ],
  [
    'a table with itself',
    (db) =>
      db
        .selectFrom('messages as m')
        .innerJoin('messages as p', (j) =>
          j.onRef('p.id', '=', 'm.parent_id').onRef('p.account_id', '=', 'm.account_id'),
        )
        .selectAll()
        .where('m.account_id', '=', 5n),
    1,
  ],
  [
    'a table with itself by another column',
    (db) =>
      db
        .selectFrom('messages as m')
        .innerJoin('messages as p', 'p.id', 'm.parent_id')
        .selectAll()
        .where('m.account_id', '=', 5n),
    'UNROUTED',
  ],
  [
    'equal only as numbers',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin('messages as m', (j) => j.on((eb) => eb('m.account_id', '=', eb('a.id', '+', 0n))))
        .selectAll()
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'by an inequality',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin('messages as m', 'm.account_id', 'a.id')
        .innerJoin('attachments as x', (j) => j.onRef('x.account_id', '<=', 'a.id'))
        .selectAll()
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'by a null-safe equality',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin('messages as m', (j) => j.onRef('m.account_id', '<=>', 'a.id'))
        .selectAll()
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'keys of two types',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin('profiles as p', 'p.handle', 'a.id')
        .selectAll()
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'keys of text',
    (db) =>
      db
        .selectFrom('profiles as p')
        .innerJoin('avatars as v', 'v.handle', 'p.handle')
        .selectAll()
        .where('p.handle', '=', 'eve'),
    1,
  ],
  [
    'keys of two types, both pinned alike',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin('profiles as p', 'p.account_id', 'a.id')
        .selectAll()
        .where('a.id', '=', 5n)
        .where('p.handle', '=', 'eve'),
    1,
  ],
  [
    'keys of two types, pinned to two shards',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin('profiles as p', 'p.account_id', 'a.id')
        .selectAll()
        .where('a.id', '=', 6n)
        .where('p.handle', '=', 'eve'),
    'CROSS_SHARD',
  ],
  [
    'with a reference table',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin('countries as c', 'c.code', 'a.country')
        .selectAll()
        .where('a.id', '=', 5n),
    1,
  ],
  [
    'a reference table first',
    (db) =>
      db
        .selectFrom('countries as c')
        .leftJoin('accounts as a', (j) => j.onRef('a.country', '=', 'c.code').on('a.id', '=', 5n))
        .selectAll(),
    1,
  ],
  [
    'with a global table',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin('plans as p', 'p.id', 'a.plan_id')
        .selectAll()
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a global with a reference table',
    (db) => db.selectFrom('plans as p').innerJoin('countries as c', 'c.plan_id', 'p.id').selectAll(),
    'global',
  ],
  [
    'unqualified keys of two tables',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin('messages as m', 'account_id', 'a.id')
        .selectAll()
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'an unqualified value of two tables',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin('messages as m', 'm.account_id', 'a.id')
        .selectAll()
        .where('account_id', '=', 5n),
    'UNROUTED',
  ],
  [
    'an unqualified value that the first of two tables has, and the other may have',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin('messages as m', 'm.account_id', 'a.id')
        .selectAll()
        .where('id', '=', 5n),
    'UNROUTED',
  ],
]
