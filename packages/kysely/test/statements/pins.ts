import type { Case } from './case.ts'

/** One table: what pins a key. */
export const pins: readonly Case[] = [
  ['an id', (db) => db.selectFrom('accounts').selectAll().where('id', '=', 5n), 1],
  ['another id', (db) => db.selectFrom('accounts').selectAll().where('id', '=', 6n), 2],
  [
    'a qualified key',
    (db) => db.selectFrom('accounts').select('accounts.id').where('accounts.id', '=', 5n),
    1,
  ],
  ['an alias', (db) => db.selectFrom('accounts as a').select('a.id').where('a.id', '=', 5n), 1],
  [
    'an unqualified key under an alias',
    (db) => db.selectFrom('accounts as a').select('id').where('id', '=', 5n),
    1,
  ],
  [
    'the key on the right',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb(eb.val(5n), '=', eb.ref('id'))),
    1,
  ],
  ['two equals signs', (db) => db.selectFrom('accounts').selectAll().where('id', '==', 5n), 1],
  [
    'the key among other conditions',
    (db) => db.selectFrom('accounts').selectAll().where('name', '=', 'a').where('id', '=', 5n),
    1,
  ],
  [
    'an object of conditions',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb.and({ id: 5n, name: 'a' })),
    1,
  ],
  [
    'nested ANDs',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb.and([eb.and([eb('id', '=', 5n)]), eb('name', '=', 'a')])),
    1,
  ],
  ['a list of one shard', (db) => db.selectFrom('accounts').selectAll().where('id', 'in', [1n, 5n, 9n]), 1],
  [
    'a list of two shards',
    (db) => db.selectFrom('accounts').selectAll().where('id', 'in', [5n, 6n]),
    'CROSS_SHARD',
  ],
  [
    'a list of expressions',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb('id', 'in', [eb.val(5n), eb.val(9n)])),
    1,
  ],
  [
    'a list with a column',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb('id', 'in', [eb.val(5n), eb.ref('plan_id')])),
    'UNROUTED',
  ],
  ['an empty list', (db) => db.selectFrom('accounts').selectAll().where('id', 'in', []), 'UNROUTED'],
  [
    'a list with null',
    (db) => db.selectFrom('accounts').selectAll().where('id', 'in', [5n, null]),
    'UNROUTED',
  ],
  [
    'two ids of one shard',
    (db) => db.selectFrom('accounts').selectAll().where('id', '=', 5n).where('id', '=', 9n),
    1,
  ],
  [
    'two ids of two shards',
    (db) => db.selectFrom('accounts').selectAll().where('id', '=', 5n).where('id', '=', 6n),
    'CROSS_SHARD',
  ],
  ['no condition', (db) => db.selectFrom('accounts').selectAll(), 'UNROUTED'],
  ['another column', (db) => db.selectFrom('accounts').selectAll().where('email', '=', 'a'), 'UNROUTED'],
  [
    'the id of a table whose key is another',
    (db) => db.selectFrom('messages').selectAll().where('id', '=', 5n),
    'UNROUTED',
  ],
  ['its key', (db) => db.selectFrom('messages').selectAll().where('account_id', '=', 5n), 1],
  ['greater', (db) => db.selectFrom('accounts').selectAll().where('id', '>', 5n), 'UNROUTED'],
  ['not equal', (db) => db.selectFrom('accounts').selectAll().where('id', '!=', 5n), 'UNROUTED'],
  ['not in', (db) => db.selectFrom('accounts').selectAll().where('id', 'not in', [5n]), 'UNROUTED'],
  [
    'between the same',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb.between('id', 5n, 5n)),
    'UNROUTED',
  ],
  [
    'is',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where('id', 'is', 5n as never),
    'UNROUTED',
  ],
  [
    'is not distinct from',
    (db) => db.selectFrom('accounts').selectAll().where('id', 'is not distinct from', 5n),
    'UNROUTED',
  ],
  ['a null-safe equality', (db) => db.selectFrom('accounts').selectAll().where('id', '<=>', 5n), 'UNROUTED'],
  ['like', (db) => db.selectFrom('accounts').selectAll().where('id', 'like', '5'), 'UNROUTED'],
  ['equal to null', (db) => db.selectFrom('accounts').selectAll().where('id', '=', null), 'UNROUTED'],
  ['equal to a list', (db) => db.selectFrom('accounts').selectAll().where('id', '=', [5n]), 'UNROUTED'],
  ['equal to itself', (db) => db.selectFrom('accounts').selectAll().whereRef('id', '=', 'id'), 'UNROUTED'],
  [
    'equal to another column',
    (db) => db.selectFrom('accounts').selectAll().whereRef('id', '=', 'plan_id'),
    'UNROUTED',
  ],
]
