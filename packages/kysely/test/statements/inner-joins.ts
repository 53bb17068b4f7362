import type { Case } from './case.ts'

/** Several tables: along what a pin passes. */
export const innerJoins: readonly Case[] = [
  [
    'joined by key',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin('messages as m', 'm.account_id', 'a.id')
        .selectAll()
        .where('a.id', '=', 5n),
    1,
  ],
  [
    'joined by key, the other one pinned',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin('messages as m', 'a.id', 'm.account_id')
        .selectAll()
        .where('m.account_id', '=', 5n),
    1,
  ],
  [
    'joined by key, none pinned',
    (db) => db.selectFrom('accounts as a').innerJoin('messages as m', 'a.id', 'm.account_id').selectAll(),
    'UNROUTED',
  ],
  [
    'joined by another column',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin('messages as m', 'm.id', 'a.id')
        .selectAll()
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'joined by another column, both pinned',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin('messages as m', 'm.id', 'a.plan_id')
        .selectAll()
        .where('a.id', '=', 5n)
        .where('m.account_id', '=', 9n),
    1,
  ],
  [
    'both pinned to two shards',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin('messages as m', 'm.id', 'a.plan_id')
        .selectAll()
        .where('a.id', '=', 5n)
        .where('m.account_id', '=', 6n),
    'CROSS_SHARD',
  ],
  [
    'a chain of three',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin('messages as m', 'm.account_id', 'a.id')
        .innerJoin('attachments as x', 'x.account_id', 'm.account_id')
        .selectAll()
        .where('a.id', '=', 5n),
    1,
  ],
  [
    'a chain of three, pinned at its end',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin('messages as m', 'm.account_id', 'a.id')
        .innerJoin('attachments as x', 'x.account_id', 'm.account_id')
        .selectAll()
        .where('x.account_id', '=', 5n),
    1,
  ],
  [
    'a chain that is broken',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin('messages as m', 'm.account_id', 'a.id')
        .innerJoin('attachments as x', 'x.message_id', 'm.id')
        .selectAll()
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a chain through a column that is no key',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin('messages as m', 'm.id', 'a.id')
        .innerJoin('attachments as x', 'x.account_id', 'm.id')
        .selectAll()
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a value in ON',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin('messages as m', (j) => j.onRef('m.account_id', '=', 'a.id').on('a.id', '=', 5n))
        .selectAll(),
    1,
  ],
  [
    'a list in ON',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin('messages as m', (j) =>
          j.onRef('m.account_id', '=', 'a.id').on('m.account_id', 'in', [5n, 9n]),
        )
        .selectAll(),
    1,
  ],
  [
    'an OR in ON with a free arm',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin('messages as m', (j) =>
          j.on((eb) => eb.or([eb('m.account_id', '=', eb.ref('a.id')), eb('m.id', '=', 5n)])),
        )
        .selectAll()
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
]
