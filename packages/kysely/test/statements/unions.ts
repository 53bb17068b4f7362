import type { Case } from './case.ts'

/** UNION, INTERSECT and EXCEPT. */
export const unions: readonly Case[] = [
  [
    'a union',
    (db) =>
      db
        .selectFrom('accounts')
        .select('id')
        .where('id', '=', 5n)
        .union(db.selectFrom('messages').select('account_id as id').where('account_id', '=', 9n)),
    1,
  ],
  [
    'a union of two shards',
    (db) =>
      db
        .selectFrom('accounts')
        .select('id')
        .where('id', '=', 5n)
        .union(db.selectFrom('messages').select('account_id as id').where('account_id', '=', 6n)),
    'CROSS_SHARD',
  ],
  [
    'a union with a free arm',
    (db) =>
      db
        .selectFrom('accounts')
        .select('id')
        .where('id', '=', 5n)
        .unionAll(db.selectFrom('messages').select('account_id as id')),
    'UNROUTED',
  ],
  [
    'a union with a free first arm',
    (db) =>
      db
        .selectFrom('accounts')
        .select('id')
        .unionAll(db.selectFrom('messages').select('account_id as id').where('account_id', '=', 5n)),
    'UNROUTED',
  ],
  [
    'an arm that looks at its neighbour',
    (db) =>
      db
        .selectFrom('accounts')
        .select('id')
        .where('id', '=', 5n)
        .unionAll(
          db.selectFrom('messages').select('account_id as id').whereRef('account_id', '=', 'accounts.id'),
        ),
    'UNROUTED',
  ],
  [
    'intersect',
    (db) =>
      db
        .selectFrom('accounts')
        .select('id')
        .where('id', '=', 5n)
        .intersect(db.selectFrom('messages').select('account_id as id').where('account_id', '=', 5n)),
    1,
  ],
  [
    'except',
    (db) =>
      db
        .selectFrom('accounts')
        .select('id')
        .where('id', '=', 5n)
        .except(db.selectFrom('messages').select('account_id as id').where('account_id', '=', 5n)),
    1,
  ],
  [
    'except a free query',
    (db) =>
      db
        .selectFrom('accounts')
        .select('id')
        .where('id', '=', 5n)
        .except(db.selectFrom('messages').select('account_id as id')),
    'UNROUTED',
  ],
  [
    'a union with a reference table',
    (db) =>
      db
        .selectFrom('accounts')
        .select('name')
        .where('id', '=', 5n)
        .union(db.selectFrom('countries').select('name')),
    1,
  ],
  [
    'a union with a global table',
    (db) =>
      db
        .selectFrom('accounts')
        .select('name')
        .where('id', '=', 5n)
        .union(db.selectFrom('plans').select('name')),
    'UNROUTED',
  ],
  [
    'a union in FROM, pinned outside',
    (db) =>
      db
        .selectFrom((eb) =>
          eb
            .selectFrom('messages')
            .select('account_id as k')
            .unionAll(eb.selectFrom('attachments').select('account_id as k'))
            .as('u'),
        )
        .selectAll()
        .where('u.k', '=', 5n),
    1,
  ],
  [
    'a union in FROM, a limit on the whole',
    (db) =>
      db
        .selectFrom((eb) =>
          eb
            .selectFrom('messages')
            .select('account_id as k')
            .unionAll(eb.selectFrom('attachments').select('account_id as k'))
            .limit(5)
            .as('u'),
        )
        .selectAll()
        .where('u.k', '=', 5n),
    'UNROUTED',
  ],
  [
    'a union in FROM, by places that differ',
    (db) =>
      db
        .selectFrom((eb) =>
          eb
            .selectFrom('messages')
            .select(['account_id as k', 'id as i'])
            .unionAll(eb.selectFrom('attachments').select(['id as i', 'account_id as k']))
            .as('u'),
        )
        .selectAll()
        .where('u.k', '=', 5n),
    'UNROUTED',
  ],
  [
    'a union in FROM of all columns of one table',
    (db) =>
      db
        .selectFrom((eb) =>
          eb
            .selectFrom('messages')
            .selectAll()
            .where('id', '=', 1n)
            .unionAll(eb.selectFrom('messages').selectAll().where('id', '=', 2n))
            .as('u'),
        )
        .selectAll()
        .where('u.account_id', '=', 5n),
    1,
  ],
  [
    'a union in FROM of all columns of two tables',
    (db) =>
      db
        .selectFrom((eb) =>
          eb.selectFrom('messages').selectAll().unionAll(eb.selectFrom('attachments').selectAll()).as('u'),
        )
        .selectAll()
        .where('u.account_id', '=', 5n),
    'UNROUTED',
  ],
]
