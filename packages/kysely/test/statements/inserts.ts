import { sql } from 'kysely'
import type { Case } from './case.ts'

const row = { id: 1n, account_id: 5n, body: 'x' }

/** INSERT: where the keys of its rows come from. */
export const inserts: readonly Case[] = [
  ['an insert', (db) => db.insertInto('accounts').values({ id: 5n, name: 'a' }), 1],
  ['an insert by another key', (db) => db.insertInto('messages').values(row), 1],
  ['rows of one shard', (db) => db.insertInto('messages').values([row, { ...row, account_id: 9n }]), 1],
  [
    'rows of two shards',
    (db) => db.insertInto('messages').values([row, { ...row, account_id: 6n }]),
    'CROSS_SHARD',
  ],
  [
    'rows of different columns',
    (db) => db.insertInto('messages').values([row, { id: 2n, account_id: 9n }]),
    1,
  ],
  ['a row without its key', (db) => db.insertInto('messages').values({ id: 1n, body: 'x' }), 'UNROUTED'],
  [
    'one of two rows without its key',
    (db) => db.insertInto('messages').values([row, { id: 1n, body: 'x' }]),
    'UNROUTED',
  ],
  ['a key in other case', (db) => db.insertInto('messages').values({ id: 1n, ACCOUNT_ID: 5n }), 'UNROUTED'],
  [
    'a key of two cases',
    (db) => db.insertInto('messages').values({ account_id: 5n, ACCOUNT_ID: 6n }),
    'UNROUTED',
  ],
  ['a null key', (db) => db.insertInto('messages').values({ ...row, account_id: null }), 'UNROUTED'],
  ['a key of text', (db) => db.insertInto('messages').values({ ...row, account_id: '5' }), 1],
  [
    'a key of text with a zero',
    (db) => db.insertInto('messages').values({ ...row, account_id: '05' }),
    'UNROUTED',
  ],
  [
    'a computed key',
    (db) => db.insertInto('messages').values((eb) => ({ ...row, account_id: eb(eb.val(4n), '+', 1n) })),
    'UNROUTED',
  ],
  [
    'a raw key',
    (db) => db.insertInto('messages').values({ ...row, account_id: sql`${5n}::bigint` }),
    'UNROUTED',
  ],
  ['sql.val as a key', (db) => db.insertInto('messages').values({ ...row, account_id: sql.val(5n) }), 1],
  [
    'a raw value of another column',
    (db) => db.insertInto('messages').values({ ...row, body: sql`lower(${'X'})` }),
    1,
  ],
  [
    'a raw value with a comma',
    (db) => db.insertInto('messages').values({ ...row, body: sql`'a', 6` }),
    'UNROUTED',
  ],
  [
    'a key from a query',
    (db) =>
      db.insertInto('messages').values((eb) => ({
        ...row,
        account_id: eb.selectFrom('accounts').select('id').where('id', '=', 5n),
      })),
    'UNROUTED',
  ],
  [
    'a value from a pinned query',
    (db) =>
      db
        .insertInto('messages')
        .values((eb) => ({ ...row, body: eb.selectFrom('accounts').select('name').where('id', '=', 5n) })),
    1,
  ],
  [
    'a value from a query of another shard',
    (db) =>
      db
        .insertInto('messages')
        .values((eb) => ({ ...row, body: eb.selectFrom('accounts').select('name').where('id', '=', 6n) })),
    'CROSS_SHARD',
  ],
  ['default values', (db) => db.insertInto('accounts').defaultValues(), 'UNROUTED'],
  ['a text key', (db) => db.insertInto('profiles').values({ handle: 'eve', bio: 'x' }), 1],
  ['a global insert', (db) => db.insertInto('plans').values({ id: 1, name: 'a' }), 'global'],
  [
    'a global insert of sharded rows',
    (db) =>
      db
        .insertInto('plans')
        .columns(['id', 'name'])
        .expression((eb) => eb.selectFrom('accounts').select(['plan_id', 'name']).where('id', '=', 5n)),
    'UNROUTED',
  ],
  ['a reference insert', (db) => db.insertInto('countries').values({ code: 'x' }), 'UNROUTED'],
  [
    'insert select by key',
    (db) =>
      db
        .insertInto('messages')
        .columns(['account_id', 'body'])
        .expression((eb) => eb.selectFrom('accounts').select(['id', 'name']).where('id', '=', 5n)),
    1,
  ],
  [
    'insert select by another column',
    (db) =>
      db
        .insertInto('messages')
        .columns(['account_id', 'body'])
        .expression((eb) => eb.selectFrom('accounts').select(['plan_id', 'name']).where('id', '=', 5n)),
    'UNROUTED',
  ],
  [
    'insert select of a literal key',
    (db) =>
      db
        .insertInto('messages')
        .columns(['account_id', 'body'])
        .expression((eb) =>
          eb
            .selectFrom('accounts')
            .select((e) => [e.val(9n).as('k'), 'name'])
            .where('id', '=', 5n),
        ),
    1,
  ],
  [
    'insert select of a literal key of another shard',
    (db) =>
      db
        .insertInto('messages')
        .columns(['account_id', 'body'])
        .expression((eb) =>
          eb
            .selectFrom('accounts')
            .select((e) => [e.val(6n).as('k'), 'name'])
            .where('id', '=', 5n),
        ),
    'CROSS_SHARD',
  ],
  [
    'insert select of a literal key from a reference table',
    (db) =>
      db
        .insertInto('messages')
        .columns(['account_id', 'body'])
        .expression((eb) => eb.selectFrom('countries').select((e) => [e.val(6n).as('k'), 'name'])),
    2,
  ],
  [
    'insert select, free',
    (db) =>
      db
        .insertInto('messages')
        .columns(['account_id', 'body'])
        .expression((eb) => eb.selectFrom('accounts').select(['id', 'name'])),
    'UNROUTED',
  ],
  [
    'insert select, columns in another order',
    (db) =>
      db
        .insertInto('messages')
        .columns(['body', 'account_id'])
        .expression((eb) => eb.selectFrom('accounts').select(['id', 'name']).where('id', '=', 5n)),
    'UNROUTED',
  ],
  [
    'insert select of all columns',
    (db) =>
      db
        .insertInto('messages')
        .columns(['account_id', 'body'])
        .expression((eb) => eb.selectFrom('messages').selectAll().where('account_id', '=', 5n)),
    'UNROUTED',
  ],
  [
    'insert select of a union',
    (db) =>
      db
        .insertInto('messages')
        .columns(['account_id'])
        .expression((eb) =>
          eb
            .selectFrom('accounts')
            .select('id')
            .where('id', '=', 5n)
            .unionAll(
              eb
                .selectFrom('accounts')
                .select((e) => e.val(9n).as('id'))
                .where('id', '=', 1n),
            ),
        ),
    1,
  ],
  [
    'insert select without columns',
    (db) =>
      db
        .insertInto('messages')
        .expression((eb) => eb.selectFrom('messages').selectAll().where('account_id', '=', 5n)),
    'UNROUTED',
  ],
]
