import { sql } from 'kysely'
import type { Case } from './case.ts'

/** Which table, and which column, a name means. */
export const names: readonly Case[] = [
  [
    'an alias that is the name of another table',
    (db) => db.selectFrom('accounts as messages').selectAll().where('messages.account_id', '=', 5n),
    'UNROUTED',
  ],
  [
    'that alias and the right key',
    (db) => db.selectFrom('accounts as messages').selectAll().where('messages.id', '=', 5n),
    1,
  ],
  [
    'two tables that swap their names',
    (db) =>
      db
        .selectFrom('accounts as messages')
        .innerJoin('messages as accounts', 'accounts.account_id', 'messages.id')
        .selectAll()
        .where('messages.id', '=', 5n),
    1,
  ],
  [
    'two tables that swap their names, by the wrong keys',
    (db) =>
      db
        .selectFrom('accounts as messages')
        .innerJoin('messages as accounts', 'messages.account_id', 'accounts.id')
        .selectAll()
        .where('accounts.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'the name that an alias has replaced',
    (db) =>
      db
        .selectFrom('accounts as a')
        .selectAll()
        .where('accounts.id', '=', 5n as never),
    'UNROUTED',
  ],
  [
    'one name for two',
    (db) =>
      db
        .selectFrom(['accounts as a', 'messages as a'])
        .selectAll()
        .where('a.id', '=', 5n)
        .where('a.account_id', '=', 5n),
    'UNROUTED',
  ],
  [
    'names that differ by case',
    (db) =>
      db
        .selectFrom(['messages as a', 'messages as A'])
        .selectAll()
        .where('a.account_id', '=', 5n)
        .where('A.account_id', '=', 5n),
    'UNROUTED',
  ],
  ['a table that is not declared', (db) => db.selectFrom('audit').selectAll(), 'UNROUTED'],
  [
    'a table that is not declared, joined',
    (db) =>
      db
        .selectFrom('accounts')
        .innerJoin('audit', 'audit.account_id', 'accounts.id')
        .selectAll()
        .where('accounts.id', '=', 5n),
    'UNROUTED',
  ],
  ['a table in other case', (db) => db.selectFrom('Accounts').selectAll().where('id', '=', 5n), 'UNROUTED'],
  ['a key in other case', (db) => db.selectFrom('accounts').selectAll().where('ID', '=', 5n), 'UNROUTED'],
  [
    'an alias in other case',
    (db) =>
      db
        .selectFrom('accounts as a')
        .selectAll()
        .where('A.id', '=', 5n as never),
    'UNROUTED',
  ],
  ['another schema', (db) => db.selectFrom('other.accounts').selectAll().where('id', '=', 5n), 'UNROUTED'],
  [
    'a schema for all',
    (db) => db.withSchema('other').selectFrom('accounts').selectAll().where('id', '=', 5n),
    'UNROUTED',
  ],
  ['the usual schema', (db) => db.selectFrom('public.accounts').selectAll().where('id', '=', 5n), 'UNROUTED'],
  ['a system table', (db) => db.selectFrom('sqlite_master').selectAll(), 'UNROUTED'],
  ['quotes in a name', (db) => db.selectFrom('accounts" as x, "messages').selectAll(), 'UNROUTED'],
  ['quotes in an alias', (db) => db.selectFrom('accounts as a"b').selectAll().where('a"b.id', '=', 5n), 1],
  [
    'a dynamic reference',
    (db) => db.selectFrom('accounts').selectAll().where(db.dynamic.ref('id'), '=', 5n),
    1,
  ],
  [
    'a dynamic table',
    (db) => db.selectFrom(db.dynamic.table('accounts').as('a')).selectAll().where('a.id', '=', 5n),
    1,
  ],
  ['sql.table', (db) => db.selectFrom(sql.table('accounts').as('a')).selectAll().where('a.id', '=', 5n), 1],
  ['sql.table without its key', (db) => db.selectFrom(sql.table('accounts').as('a')).selectAll(), 'UNROUTED'],
  [
    'sql.id as a table',
    (db) => db.selectFrom(sql.id('accounts').as('a')).selectAll().where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a raw table',
    (db) => db.selectFrom(sql`accounts`.as('a')).selectAll().where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a raw table in a join',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin(sql`messages`.as('m'), (j) => j.onTrue())
        .selectAll()
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
]
