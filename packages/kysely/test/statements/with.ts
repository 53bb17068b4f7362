import type { Case } from './case.ts'

/** WITH: what its names mean, and what passes out of it. */
export const withs: readonly Case[] = [
  [
    'WITH, pinned inside',
    (db) =>
      db
        .with('m', (q) => q.selectFrom('messages').selectAll().where('account_id', '=', 5n))
        .selectFrom('m')
        .selectAll(),
    1,
  ],
  [
    'WITH, free',
    (db) =>
      db
        .with('m', (q) => q.selectFrom('messages').selectAll())
        .selectFrom('m')
        .selectAll(),
    'UNROUTED',
  ],
  [
    'WITH, pinned outside only',
    (db) =>
      db
        .with('m', (q) => q.selectFrom('messages').selectAll())
        .selectFrom('m')
        .selectAll()
        .where('m.account_id', '=', 5n),
    'UNROUTED',
  ],
  [
    'WITH, never used, free',
    (db) =>
      db
        .with('m', (q) => q.selectFrom('messages').selectAll())
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', 5n),
    'UNROUTED',
  ],
  [
    'WITH that pins a table',
    (db) =>
      db
        .with('m', (q) => q.selectFrom('messages').select('account_id').where('account_id', '=', 5n))
        .selectFrom('accounts as a')
        .innerJoin('m', 'm.account_id', 'a.id')
        .selectAll(),
    1,
  ],
  [
    'WITH of a computed key that pins nothing',
    (db) =>
      db
        .with('m', (q) =>
          q
            .selectFrom('messages')
            .select((e) => e('account_id', '+', 1n).as('account_id'))
            .where('account_id', '=', 5n),
        )
        .selectFrom('accounts as a')
        .innerJoin('m', 'm.account_id', 'a.id')
        .selectAll(),
    'UNROUTED',
  ],
  [
    'WITH of names of its own',
    (db) =>
      db
        .with('m(k)', (q) => q.selectFrom('messages').select('account_id as k').where('account_id', '=', 5n))
        .selectFrom('accounts as a')
        .innerJoin('m', 'm.k', 'a.id')
        .selectAll(),
    1,
  ],
  [
    'WITH of names of its own, the wrong one',
    (db) =>
      db
        .with('m(x, account_id)', (q) =>
          q
            .selectFrom('messages')
            .select(['account_id as x', 'id as account_id'])
            .where('account_id', '=', 5n),
        )
        .selectFrom('accounts as a')
        .innerJoin('m', 'm.account_id', 'a.id')
        .selectAll(),
    'UNROUTED',
  ],
  [
    'two of WITH, one by the other',
    (db) =>
      db
        .with('m', (q) => q.selectFrom('messages').selectAll().where('account_id', '=', 5n))
        .with('x', (q) =>
          q
            .selectFrom('attachments')
            .innerJoin('m', 'm.account_id', 'attachments.account_id')
            .select('attachments.id'),
        )
        .selectFrom('x')
        .selectAll(),
    1,
  ],
  [
    'a table expression named like a table',
    (db) =>
      db
        .with('messages', (q) => q.selectFrom('accounts').select('id as account_id').where('id', '=', 5n))
        .selectFrom('messages')
        .selectAll(),
    1,
  ],
  [
    'a table expression named like a table, free',
    (db) =>
      db
        .with('messages', (q) => q.selectFrom('accounts').select('id as account_id'))
        .selectFrom('messages')
        .selectAll()
        .where('account_id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a table expression named like the table inside',
    (db) =>
      db
        .with('accounts', (q) => q.selectFrom('accounts').selectAll().where('id', '=', 5n))
        .selectFrom('accounts')
        .selectAll(),
    1,
  ],
  [
    'a table expression named like a sharded table, of a reference table',
    (db) =>
      db
        .with('messages', (q) => q.selectFrom('countries').selectAll())
        .selectFrom('messages')
        .selectAll(),
    'global',
  ],
  [
    'named like a table but for case',
    (db) =>
      db
        .with('Messages', (q) => q.selectFrom('countries').selectAll())
        .selectFrom('messages')
        .selectAll()
        .where('account_id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a later name',
    (db) =>
      db
        .with('a', (q) => q.selectFrom('messages').selectAll().where('account_id', '=', 5n))
        .with('messages', (q) => q.selectFrom('countries').selectAll())
        .selectFrom('a')
        .selectAll(),
    'UNROUTED',
  ],
  [
    'one name twice',
    (db) =>
      db
        .with('m', (q) => q.selectFrom('countries').selectAll())
        .with('m', (q) => q.selectFrom('messages').selectAll().where('account_id', '=', 5n))
        .selectFrom('m')
        .selectAll(),
    'UNROUTED',
  ],
  [
    'WITH inside of a sub-query',
    (db) =>
      db
        .selectFrom('accounts as a')
        .selectAll()
        .where('a.id', '=', 5n)
        .where((eb) =>
          eb.exists(
            db
              .with('m', (q) => q.selectFrom('messages').selectAll().where('account_id', '=', 5n))
              .selectFrom('m')
              .selectAll(),
          ),
        ),
    1,
  ],
  [
    'WITH inside of a sub-query, gone outside',
    (db) =>
      db
        .selectFrom('accounts as a')
        .selectAll()
        .where('a.id', '=', 5n)
        .where((eb) =>
          eb.exists(
            db
              .with('m', (q) => q.selectFrom('messages').selectAll().where('account_id', '=', 5n))
              .selectFrom('m')
              .selectAll(),
          ),
        )
        .where((eb) => eb.exists(eb.selectFrom('m').selectAll())),
    'UNROUTED',
  ],
  [
    'WITH of a raw query',
    (db) =>
      db
        .with(
          'm',
          () =>
            ({
              toOperationNode: () => ({
                kind: 'RawNode',
                sqlFragments: ['select * from messages'],
                parameters: [],
              }),
            }) as never,
        )
        .selectFrom('m')
        .selectAll(),
    'UNROUTED',
  ],
  [
    'a write in WITH',
    (db) =>
      db
        .with('w', (q) => q.updateTable('accounts').set({ name: 'x' }).where('id', '=', 5n).returning('id'))
        .selectFrom('w')
        .selectAll(),
    1,
  ],
  [
    'a free write in WITH',
    (db) =>
      db
        .with('w', (q) => q.updateTable('accounts').set({ name: 'x' }).returning('id'))
        .selectFrom('w')
        .selectAll()
        .where('w.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a write in WITH that pins the rest',
    (db) =>
      db
        .with('w', (q) =>
          q.insertInto('messages').values({ id: 1n, account_id: 5n, body: 'x' }).returning(['account_id']),
        )
        .selectFrom('accounts as a')
        .innerJoin('w', 'w.account_id', 'a.id')
        .selectAll(),
    1,
  ],
  [
    'writes in WITH to two shards',
    (db) =>
      db
        .with('w', (q) => q.deleteFrom('messages').where('account_id', '=', 5n))
        .deleteFrom('accounts')
        .where('id', '=', 6n),
    'CROSS_SHARD',
  ],
]
