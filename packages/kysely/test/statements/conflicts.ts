import { sql } from 'kysely'
import type { Case } from './case.ts'

const row = { id: 1n, account_id: 5n, body: 'x' }

/** INSERT: what it does about rows that are there already. */
export const conflicts: readonly Case[] = [
  [
    'a conflict on a unique key with the shard key',
    (db) =>
      db
        .insertInto('messages')
        .values(row)
        .onConflict((oc) => oc.columns(['account_id', 'id']).doNothing()),
    1,
  ],
  [
    'a conflict on the shard key',
    (db) =>
      db
        .insertInto('accounts')
        .values({ id: 5n })
        .onConflict((oc) => oc.column('id').doUpdateSet({ name: 'x' })),
    1,
  ],
  [
    'a conflict on another unique column',
    (db) =>
      db
        .insertInto('accounts')
        .values({ id: 5n, email: 'x' })
        .onConflict((oc) => oc.column('email').doNothing()),
    'UNROUTED',
  ],
  [
    'a conflict on anything',
    (db) =>
      db
        .insertInto('accounts')
        .values({ id: 5n })
        .onConflict((oc) => oc.doNothing()),
    'UNROUTED',
  ],
  [
    'a conflict on a constraint',
    (db) =>
      db
        .insertInto('accounts')
        .values({ id: 5n })
        .onConflict((oc) => oc.constraint('accounts_email').doNothing()),
    'UNROUTED',
  ],
  [
    'a conflict on an expression',
    (db) =>
      db
        .insertInto('accounts')
        .values({ id: 5n })
        .onConflict((oc) => oc.expression(sql`lower(email)`).doNothing()),
    'UNROUTED',
  ],
  [
    'a conflict on anything, where all unique keys have the key',
    (db) =>
      db
        .insertInto('likes')
        .values({ account_id: 5n, message_id: 1n })
        .onConflict((oc) => oc.doNothing()),
    1,
  ],
  [
    'a conflict that changes the key',
    (db) =>
      db
        .insertInto('messages')
        .values(row)
        .onConflict((oc) => oc.column('account_id').doUpdateSet({ account_id: 6n })),
    'UNROUTED',
  ],
  [
    'a conflict that sets what was excluded',
    (db) =>
      db
        .insertInto('messages')
        .values(row)
        .onConflict((oc) =>
          oc.columns(['account_id', 'id']).doUpdateSet((eb) => ({ body: eb.ref('excluded.body') })),
        ),
    1,
  ],
  [
    'a conflict with a free query',
    (db) =>
      db
        .insertInto('messages')
        .values(row)
        .onConflict((oc) =>
          oc
            .column('account_id')
            .doUpdateSet((eb) => ({ body: eb.selectFrom('accounts').select('name').limit(1) })),
        ),
    'UNROUTED',
  ],
  [
    'a conflict of a global table',
    (db) =>
      db
        .insertInto('plans')
        .values({ id: 1 })
        .onConflict((oc) => oc.doNothing()),
    'global',
  ],
  [
    'on duplicate key',
    (db) => db.insertInto('messages').values(row).onDuplicateKeyUpdate({ body: 'y' }),
    'UNROUTED',
  ],
  [
    'on duplicate key, where all unique keys have the key',
    (db) => db.insertInto('likes').values({ account_id: 5n, message_id: 1n }).onDuplicateKeyUpdate({ at: 1 }),
    1,
  ],
  [
    'on duplicate key that changes the key',
    (db) => db.insertInto('likes').values({ account_id: 5n }).onDuplicateKeyUpdate({ account_id: 6n }),
    'UNROUTED',
  ],
  ['insert ignore', (db) => db.insertInto('messages').values(row).ignore(), 'UNROUTED'],
  ['insert or ignore', (db) => db.insertInto('messages').values(row).orIgnore(), 'UNROUTED'],
  [
    'insert or ignore, where all unique keys have the key',
    (db) => db.insertInto('likes').values({ account_id: 5n }).orIgnore(),
    1,
  ],
  ['insert or replace', (db) => db.insertInto('messages').values(row).orReplace(), 'UNROUTED'],
  ['replace', (db) => db.replaceInto('messages').values(row), 'UNROUTED'],
  [
    'replace, where all unique keys have the key',
    (db) => db.replaceInto('likes').values({ account_id: 5n }),
    1,
  ],
  [
    'merge',
    (db) =>
      db
        .mergeInto('messages')
        .using('attachments', 'attachments.account_id', 'messages.account_id')
        .whenMatched()
        .thenDelete(),
    'UNROUTED',
  ],
  [
    'a raw end of an insert',
    (db) => db.insertInto('messages').values(row).modifyEnd(sql`on conflict do nothing`),
    'UNROUTED',
  ],
  ['returning', (db) => db.insertInto('messages').values(row).returningAll(), 1],
  [
    'returning a free query',
    (db) =>
      db
        .insertInto('messages')
        .values(row)
        .returning((eb) => eb.selectFrom('accounts').select('id').limit(1).as('x')),
    'UNROUTED',
  ],
]
