import type { Case } from './case.ts'

/** Where a pin stops: the side that an outer join keeps. */
export const outerJoins: readonly Case[] = [
  [
    'left join by key',
    (db) =>
      db
        .selectFrom('accounts as a')
        .leftJoin('messages as m', 'm.account_id', 'a.id')
        .selectAll()
        .where('a.id', '=', 5n),
    1,
  ],
  [
    'left join by key, the kept side free',
    (db) => db.selectFrom('accounts as a').leftJoin('messages as m', 'm.account_id', 'a.id').selectAll(),
    'UNROUTED',
  ],
  [
    'left join, the key in ON',
    (db) =>
      db
        .selectFrom('accounts as a')
        .leftJoin('messages as m', (j) => j.onRef('m.account_id', '=', 'a.id').on('a.id', '=', 5n))
        .selectAll(),
    'UNROUTED',
  ],
  [
    'left join, the joined key in ON only',
    (db) =>
      db
        .selectFrom('accounts as a')
        .leftJoin('messages as m', (j) => j.onRef('m.account_id', '=', 'a.id').on('m.account_id', '=', 5n))
        .selectAll(),
    'UNROUTED',
  ],
  [
    'left join, the joined key in WHERE',
    (db) =>
      db
        .selectFrom('accounts as a')
        .leftJoin('messages as m', 'm.account_id', 'a.id')
        .selectAll()
        .where('m.account_id', '=', 5n),
    'UNROUTED',
  ],
  [
    'left join, both keys in WHERE',
    (db) =>
      db
        .selectFrom('accounts as a')
        .leftJoin('messages as m', 'm.id', 'a.plan_id')
        .selectAll()
        .where('a.id', '=', 5n)
        .where('m.account_id', '=', 5n),
    1,
  ],
  [
    'left join, each pinned where it counts',
    (db) =>
      db
        .selectFrom('accounts as a')
        .leftJoin('messages as m', (j) => j.on('m.account_id', '=', 9n))
        .selectAll()
        .where('a.id', '=', 5n),
    1,
  ],
  [
    'left join, pinned to two shards',
    (db) =>
      db
        .selectFrom('accounts as a')
        .leftJoin('messages as m', (j) => j.on('m.account_id', '=', 6n))
        .selectAll()
        .where('a.id', '=', 5n),
    'CROSS_SHARD',
  ],
  [
    'left join on true',
    (db) =>
      db
        .selectFrom('accounts as a')
        .leftJoin('messages as m', (j) => j.onTrue())
        .selectAll()
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'left join by another column',
    (db) =>
      db
        .selectFrom('accounts as a')
        .leftJoin('messages as m', 'm.id', 'a.id')
        .selectAll()
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'who has none',
    (db) =>
      db
        .selectFrom('accounts as a')
        .leftJoin('messages as m', 'm.account_id', 'a.id')
        .select('a.id')
        .where('a.id', '=', 5n)
        .where('m.id', 'is', null),
    1,
  ],
  [
    'right join by key',
    (db) =>
      db
        .selectFrom('messages as m')
        .rightJoin('accounts as a', 'a.id', 'm.account_id')
        .selectAll()
        .where('a.id', '=', 5n),
    1,
  ],
  [
    'right join, the key in ON',
    (db) =>
      db
        .selectFrom('messages as m')
        .rightJoin('accounts as a', (j) => j.onRef('a.id', '=', 'm.account_id').on('a.id', '=', 5n))
        .selectAll(),
    'UNROUTED',
  ],
  [
    'right join, the left key in ON only',
    (db) =>
      db
        .selectFrom('messages as m')
        .rightJoin('accounts as a', (j) => j.onRef('a.id', '=', 'm.account_id').on('m.account_id', '=', 5n))
        .selectAll(),
    'UNROUTED',
  ],
  [
    'right join of a reference table, the left key in ON',
    (db) =>
      db
        .selectFrom('accounts as a')
        .rightJoin('countries as c', (j) => j.onRef('c.code', '=', 'a.country').on('a.id', '=', 5n))
        .selectAll(),
    1,
  ],
  [
    'right join after an inner join',
    (db) =>
      db
        .selectFrom('messages as m')
        .innerJoin('attachments as x', 'x.account_id', 'm.account_id')
        .rightJoin('accounts as a', 'a.id', 'm.account_id')
        .selectAll()
        .where('a.id', '=', 5n),
    1,
  ],
  [
    'full join by key',
    (db) =>
      db
        .selectFrom('messages as m')
        .fullJoin('accounts as a', 'a.id', 'm.account_id')
        .selectAll()
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'full join, both pinned in WHERE',
    (db) =>
      db
        .selectFrom('messages as m')
        .fullJoin('accounts as a', 'a.id', 'm.account_id')
        .selectAll()
        .where('a.id', '=', 5n)
        .where('m.account_id', '=', 5n),
    1,
  ],
  [
    'full join, pinned in ON',
    (db) =>
      db
        .selectFrom('messages as m')
        .fullJoin('accounts as a', (j) => j.on('a.id', '=', 5n).on('m.account_id', '=', 5n))
        .selectAll(),
    'UNROUTED',
  ],
  [
    'left joins one after the other',
    (db) =>
      db
        .selectFrom('accounts as a')
        .leftJoin('messages as m', 'm.account_id', 'a.id')
        .leftJoin('attachments as x', 'x.account_id', 'm.account_id')
        .selectAll()
        .where('a.id', '=', 5n),
    1,
  ],
  [
    'a left join by a column of the joined one',
    (db) =>
      db
        .selectFrom('accounts as a')
        .leftJoin('messages as m', 'm.account_id', 'a.id')
        .leftJoin('attachments as x', 'x.message_id', 'm.id')
        .selectAll()
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'an inner join after a left join',
    (db) =>
      db
        .selectFrom('accounts as a')
        .leftJoin('messages as m', 'm.account_id', 'a.id')
        .innerJoin('attachments as x', 'x.account_id', 'm.account_id')
        .selectAll()
        .where('x.account_id', '=', 5n),
    'UNROUTED',
  ],
  [
    'an inner join after a left join, both sides',
    (db) =>
      db
        .selectFrom('accounts as a')
        .leftJoin('messages as m', 'm.account_id', 'a.id')
        .innerJoin('attachments as x', 'x.account_id', 'm.account_id')
        .selectAll()
        .where('a.id', '=', 5n),
    1,
  ],
  [
    'the kept side equals the joined one in WHERE',
    (db) =>
      db
        .selectFrom('accounts as a')
        .leftJoin('messages as m', (j) => j.on('m.account_id', '=', 5n))
        .selectAll()
        .whereRef('m.account_id', '=', 'a.id'),
    1,
  ],
]
