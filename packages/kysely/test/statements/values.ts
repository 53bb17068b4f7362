import { sql } from 'kysely'
import type { Case } from './case.ts'

/** Of which type a value is, and statements that need none. */
export const values: readonly Case[] = [
  ['text of a text key', (db) => db.selectFrom('profiles').selectAll().where('handle', '=', 'ann'), 0],
  ['another text', (db) => db.selectFrom('profiles').selectAll().where('handle', '=', 'eve'), 1],
  [
    'a number of a text key',
    (db) => db.selectFrom('profiles').selectAll().where('handle', '=', 5),
    'UNROUTED',
  ],
  ['an id of a text key', (db) => db.selectFrom('profiles').selectAll().where('handle', '=', 5n), 'UNROUTED'],
  ['the empty text', (db) => db.selectFrom('profiles').selectAll().where('handle', '=', ''), 1],
  ['canonical text of an id', (db) => db.selectFrom('accounts').selectAll().where('id', '=', '5'), 1],
  ['text with a zero', (db) => db.selectFrom('accounts').selectAll().where('id', '=', '05'), 'UNROUTED'],
  ['text with a blank', (db) => db.selectFrom('accounts').selectAll().where('id', '=', ' 5'), 'UNROUTED'],
  ['text in hexadecimal', (db) => db.selectFrom('accounts').selectAll().where('id', '=', '0x5'), 'UNROUTED'],
  ['a number', (db) => db.selectFrom('accounts').selectAll().where('id', '=', 5), 'UNROUTED'],
  ['a boolean', (db) => db.selectFrom('accounts').selectAll().where('id', '=', true), 'UNROUTED'],
  ['zero', (db) => db.selectFrom('accounts').selectAll().where('id', '=', 0n), 'UNROUTED'],
  ['a negative id', (db) => db.selectFrom('accounts').selectAll().where('id', '=', -5n), 'UNROUTED'],
  [
    'above 2^63',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', 1n << 63n),
    'UNROUTED',
  ],
  [
    'bytes',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', new Uint8Array([5])),
    'UNROUTED',
  ],
  ['a date', (db) => db.selectFrom('accounts').selectAll().where('id', '=', new Date(5)), 'UNROUTED'],
  [
    'a literal number',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb('id', '=', eb.lit(5))),
    1,
  ],
  [
    'a literal beyond 2^53',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb('id', '=', eb.lit(2 ** 60))),
    'UNROUTED',
  ],
  [
    'a literal text of an id',
    (db) => db.selectFrom('accounts').selectAll().where('id', '=', sql.lit('5')),
    'UNROUTED',
  ],
  ['a literal text', (db) => db.selectFrom('profiles').selectAll().where('handle', '=', sql.lit('eve')), 1],
  [
    'a literal with a backslash',
    (db) => db.selectFrom('profiles').selectAll().where('handle', '=', sql.lit('b\\ob')),
    'UNROUTED',
  ],
  [
    'a literal null',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb('id', '=', eb.lit(null))),
    'UNROUTED',
  ],
  ['sql.val', (db) => db.selectFrom('accounts').selectAll().where('id', '=', sql.val(5n)), 1],
  ['sql.ref', (db) => db.selectFrom('accounts').selectAll().where(sql.ref('accounts.id'), '=', 5n), 1],
  ['a global table', (db) => db.selectFrom('plans').selectAll(), 'global'],
  ['a global table by key', (db) => db.selectFrom('plans').selectAll().where('id', '=', 5), 'global'],
  ['a reference table', (db) => db.selectFrom('countries').selectAll(), 'global'],
  ['no table', (db) => db.selectNoFrom((eb) => eb.lit(1).as('one')), 'global'],
  [
    'a concatenation beside the key',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', 5n)
        .where((eb) => eb('name', '||', 'x')),
    'UNROUTED',
  ],
  [
    'a concatenation of the value',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) => eb('id', '=', eb(eb.val(5n), '||', 'x' as never))),
    'UNROUTED',
  ],
  [
    'a concatenation in parentheses',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', 5n)
        .where((eb) => eb(eb.parens(eb('name', '||', 'x')), '=', 'ax')),
    1,
  ],
  [
    'MySQL AND',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', 5n)
        .where((eb) => eb('name', '&&', 'x')),
    'UNROUTED',
  ],
]
