import { sql } from 'kysely'
import type { Case } from './case.ts'

/** UPDATE, DELETE and changes of the schema. */
export const changes: readonly Case[] = [
  ['an update', (db) => db.updateTable('accounts').set({ name: 'x' }).where('id', '=', 5n), 1],
  ['a free update', (db) => db.updateTable('accounts').set({ name: 'x' }), 'UNROUTED'],
  [
    'an update by another column',
    (db) => db.updateTable('accounts').set({ name: 'x' }).where('email', '=', 'x'),
    'UNROUTED',
  ],
  [
    'an update of the key',
    (db) => db.updateTable('accounts').set({ id: 6n }).where('id', '=', 5n),
    'UNROUTED',
  ],
  [
    'an update of the key to itself',
    (db) => db.updateTable('accounts').set({ id: 5n }).where('id', '=', 5n),
    'UNROUTED',
  ],
  [
    'an update of the key in other case',
    (db) => db.updateTable('accounts').set({ ID: 6n }).where('id', '=', 5n),
    'UNROUTED',
  ],
  [
    'an update of the key by reference',
    (db) => db.updateTable('accounts as a').set('a.id', 6n).where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'an update of the key by a raw reference',
    (db) => db.updateTable('accounts').set(sql.ref('id'), 6n).where('id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a raw column that is set',
    (db) =>
      db
        .updateTable('accounts')
        .set(sql`name` as never, 'x' as never)
        .where('id', '=', 5n),
    'UNROUTED',
  ],
  ['a raw value', (db) => db.updateTable('accounts').set({ name: sql`lower(name)` }).where('id', '=', 5n), 1],
  [
    'a raw value with a comma in SET',
    (db) => db.updateTable('accounts').set({ name: sql`'x', id = 6` }).where('id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a value from a query by key',
    (db) =>
      db
        .updateTable('accounts')
        .set((eb) => ({
          name: eb.selectFrom('messages').select('body').whereRef('account_id', '=', 'accounts.id').limit(1),
        }))
        .where('id', '=', 5n),
    1,
  ],
  [
    'a value from a free query',
    (db) =>
      db
        .updateTable('accounts')
        .set((eb) => ({ name: eb.selectFrom('messages').select('body').limit(1) }))
        .where('id', '=', 5n),
    'UNROUTED',
  ],
  [
    'an update from a table by key',
    (db) =>
      db
        .updateTable('messages as m')
        .from('accounts as a')
        .set({ body: 'x' })
        .whereRef('m.account_id', '=', 'a.id')
        .where('a.id', '=', 5n),
    1,
  ],
  [
    'an update from a free table',
    (db) =>
      db.updateTable('messages as m').from('accounts as a').set({ body: 'x' }).where('m.account_id', '=', 5n),
    'UNROUTED',
  ],
  [
    'an update of two tables',
    (db) =>
      db
        .updateTable(['accounts as a', 'messages as m'])
        .set('m.body', 'x')
        .whereRef('m.account_id', '=', 'a.id')
        .where('a.id', '=', 5n),
    1,
  ],
  [
    'an update of two tables, the key of one',
    (db) =>
      db
        .updateTable(['accounts as a', 'messages as m'])
        .set('m.account_id', 6n)
        .whereRef('m.account_id', '=', 'a.id')
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'an update with an order and a limit',
    (db) => db.updateTable('messages').set({ body: 'x' }).where('account_id', '=', 5n).orderBy('id').limit(1),
    1,
  ],
  ['an update of a reference table', (db) => db.updateTable('countries').set({ name: 'x' }), 'UNROUTED'],
  [
    'an update of a global table',
    (db) => db.updateTable('plans').set({ name: 'x' }).where('id', '=', 1),
    'global',
  ],
  [
    'an update from WITH',
    (db) =>
      db
        .with('k', (q) => q.selectFrom('messages').select('account_id').where('account_id', '=', 5n))
        .updateTable('accounts')
        .from('k')
        .set({ name: 'x' })
        .whereRef('accounts.id', '=', 'k.account_id'),
    1,
  ],
  [
    'an update returning',
    (db) => db.updateTable('accounts').set({ name: 'x' }).where('id', '=', 5n).returning('id'),
    1,
  ],
  ['a delete', (db) => db.deleteFrom('messages').where('account_id', '=', 5n), 1],
  ['a free delete', (db) => db.deleteFrom('messages'), 'UNROUTED'],
  ['a delete by another column', (db) => db.deleteFrom('messages').where('id', '=', 5n), 'UNROUTED'],
  [
    'a delete with an OR',
    (db) => db.deleteFrom('messages').where((eb) => eb.or([eb('account_id', '=', 5n), eb('id', '=', 1n)])),
    'UNROUTED',
  ],
  [
    'a delete using a table by key',
    (db) =>
      db
        .deleteFrom('messages as m')
        .using('accounts as a')
        .whereRef('m.account_id', '=', 'a.id')
        .where('a.id', '=', 5n),
    1,
  ],
  [
    'a delete using a free table',
    (db) => db.deleteFrom('messages as m').using('accounts as a').where('m.account_id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a delete as MySQL joins',
    (db) =>
      db
        .deleteFrom('messages')
        .using('messages')
        .innerJoin('accounts', 'accounts.id', 'messages.account_id')
        .where('accounts.id', '=', 5n),
    1,
  ],
  ['a delete of a reference table', (db) => db.deleteFrom('countries').where('code', '=', 'x'), 'UNROUTED'],
  ['a delete of a global table', (db) => db.deleteFrom('plans').where('id', '=', 1), 'global'],
  [
    'a delete with a raw end',
    (db) => db.deleteFrom('messages').where('account_id', '=', 5n).modifyEnd(sql`or 1 = 1`),
    'UNROUTED',
  ],
  ['a new table', (db) => db.schema.createTable('x').addColumn('id', 'bigint'), 'UNROUTED'],
  ['a dropped table', (db) => db.schema.dropTable('accounts'), 'UNROUTED'],
]
