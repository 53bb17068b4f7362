import type { Case } from './case.ts'

/** One table: what only looks as if it pinned a key. */
export const conditions: readonly Case[] = [
  [
    'inside of NOT',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb.not(eb('id', '=', 5n))),
    'UNROUTED',
  ],
  [
    'inside of two NOTs',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb.not(eb.not(eb('id', '=', 5n)))),
    'UNROUTED',
  ],
  [
    'inside of CASE',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb.case().when('id', '=', 5n).then(true).else(true).end()),
    'UNROUTED',
  ],
  [
    'inside of coalesce',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb(eb.fn.coalesce('id', eb.val(5n)), '=', 5n)),
    'UNROUTED',
  ],
  [
    'the key plus one',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb(eb('id', '+', 1n), '=', 5n)),
    'UNROUTED',
  ],
  [
    'minus the key',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb(eb.neg(eb.ref('id')), '=', -5n)),
    'UNROUTED',
  ],
  [
    'the key of a cast',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb(eb.cast('id', 'text'), '=', '5')),
    'UNROUTED',
  ],
  [
    'a value of a cast',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb('id', '=', eb.cast(eb.val('5'), 'bigint'))),
    'UNROUTED',
  ],
  [
    'a comparison compared',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb(eb('id', '=', 5n), '=', false)),
    'UNROUTED',
  ],
  [
    'is true',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb(eb('id', '=', 5n), 'is', true)),
    'UNROUTED',
  ],
  [
    'an OR of one shard',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb.or([eb('id', '=', 5n), eb('id', '=', 9n)])),
    1,
  ],
  [
    'an OR of two shards',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb.or([eb('id', '=', 5n), eb('id', '=', 6n)])),
    'CROSS_SHARD',
  ],
  [
    'an OR with a free arm',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb.or([eb('id', '=', 5n), eb('name', '=', 'a')])),
    'UNROUTED',
  ],
  [
    'an OR of ANDs',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) =>
          eb.or([eb.and([eb('id', '=', 5n), eb('name', '=', 'a')]), eb.and({ id: 9n, name: 'b' })]),
        ),
    1,
  ],
  [
    'an OR of ANDs, one free',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb.or([eb.and({ id: 5n, name: 'a' }), eb.and({ name: 'b', email: 'c' })])),
    'UNROUTED',
  ],
  [
    'an OR beside the key',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', 5n)
        .where((eb) => eb.or([eb('name', '=', 'a'), eb('name', '=', 'b')])),
    1,
  ],
  [
    'an empty OR',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb.or([])),
    'UNROUTED',
  ],
  [
    'an OR of lists',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb.or([eb('id', 'in', [1n, 5n]), eb('id', '=', 9n)])),
    1,
  ],
  [
    'a filter of a count is no condition',
    (db) => db.selectFrom('accounts').select((eb) => eb.fn.countAll().filterWhere('id', '=', 5n).as('n')),
    'UNROUTED',
  ],
  ['having', (db) => db.selectFrom('accounts').select('id').groupBy('id').having('id', '=', 5n), 'UNROUTED'],
  [
    'group, having, order, limit, offset',
    (db) =>
      db
        .selectFrom('messages')
        .select(['account_id', (eb) => eb.fn.countAll().as('n')])
        .where('account_id', '=', 5n)
        .groupBy('account_id')
        .having((eb) => eb.fn.countAll(), '>', 1)
        .orderBy('n', 'desc')
        .limit(5)
        .offset(2),
    1,
  ],
  ['distinct', (db) => db.selectFrom('messages').select('body').distinct().where('account_id', '=', 5n), 1],
  [
    'distinct on',
    (db) => db.selectFrom('messages').select('body').distinctOn('body').where('account_id', '=', 5n),
    1,
  ],
  [
    'for update',
    (db) => db.selectFrom('accounts').selectAll().where('id', '=', 5n).forUpdate().skipLocked(),
    1,
  ],
  [
    'a window',
    (db) =>
      db
        .selectFrom('messages')
        .select((eb) =>
          eb.fn
            .countAll()
            .over((ob) => ob.partitionBy('parent_id').orderBy('id'))
            .as('n'),
        )
        .where('account_id', '=', 5n),
    1,
  ],
  [
    'a tuple',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb(eb.refTuple('id', 'name'), '=', eb.tuple(5n, 'a'))),
    'UNROUTED',
  ],
  [
    'explain',
    (db) => ({ compile: () => db.selectFrom('accounts').selectAll().where('id', '=', 5n).compile() }),
    1,
  ],
]
