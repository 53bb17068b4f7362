import { sql } from 'kysely'
import type { Case, Db } from './case.ts'

const pinned = (db: Db) => db.selectFrom('accounts').selectAll().where('id', '=', 5n)

/** Raw fragments: what cannot reach beyond itself runs, the rest does not. */
export const raw: readonly Case[] = [
  ['a raw condition', (db) => pinned(db).where(sql<boolean>`name = ${'a'}`), 1],
  ['a raw OR after an AND', (db) => pinned(db).where(sql<boolean>`name = ${'a'} or ${1} = 1`), 'UNROUTED'],
  [
    'a raw OR before an AND',
    (db) =>
      db.selectFrom('accounts').selectAll().where(sql<boolean>`name = ${'a'} or 1 = 1`).where('id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a raw condition that pins the key',
    (db) => db.selectFrom('accounts').selectAll().where(sql<boolean>`id = ${5n}`),
    'UNROUTED',
  ],
  [
    'a raw value with an OR',
    (db) => db.selectFrom('accounts').selectAll().where('id', '=', sql`${5n} or 1 = 1`),
    'UNROUTED',
  ],
  ['a raw value beside the key', (db) => pinned(db).where('name', '=', sql`lower(${'A'})`), 1],
  [
    'a raw value with an OR beside the key',
    (db) => pinned(db).where('name', '=', sql`${'a'} or 1 = 1`),
    'UNROUTED',
  ],
  [
    'half a BETWEEN',
    (db) => db.selectFrom('accounts').selectAll().where(sql<boolean>`plan_id between 1`).where('id', '=', 5n),
    'UNROUTED',
  ],
  ['a raw operator', (db) => db.selectFrom('accounts').selectAll().where('id', sql`=`, 5n), 'UNROUTED'],
  ['a raw operator with an OR', (db) => pinned(db).where('name', sql`= '' or name =`, 'a'), 'UNROUTED'],
  ['an open parenthesis', (db) => pinned(db).where(sql<boolean>`(name = ${'a'}`), 'UNROUTED'],
  ['a closed parenthesis', (db) => pinned(db).where(sql<boolean>`name = ${'a'}) or (1 = 1`), 'UNROUTED'],
  ['an open quote', (db) => pinned(db).where(sql<boolean>`name = 'a`), 'UNROUTED'],
  ['an escaped quote', (db) => pinned(db).where(sql<boolean>`name = 'a\\' or 1 = 1 or name = '`), 'UNROUTED'],
  ['a value inside of quotes', (db) => pinned(db).where(sql<boolean>`name = '${'a'}'`), 'UNROUTED'],
  ['a dollar quote', (db) => pinned(db).where(sql<boolean>`name = $$a$$`), 'UNROUTED'],
  ['a comment to the end', (db) => pinned(db).where(sql<boolean>`name = ${'a'} --`), 'UNROUTED'],
  ['a comment inside', (db) => pinned(db).where(sql<boolean>`name /* x */ = ${'a'}`), 'UNROUTED'],
  ['a comment of MySQL', (db) => pinned(db).where(sql<boolean>`name = ${'a'} # x`), 'UNROUTED'],
  ['a semicolon', (db) => pinned(db).where(sql<boolean>`name = ${'a'}; delete`), 'UNROUTED'],
  ['a semicolon in quotes', (db) => pinned(db).where(sql<boolean>`name = 'a;b'`), 1],
  ['words in quotes', (db) => pinned(db).where(sql<boolean>`name = 'select from join'`), 1],
  ['a sub-query', (db) => pinned(db).where(sql<boolean>`exists (select 1 from messages)`), 'UNROUTED'],
  ['a sub-query in capitals', (db) => pinned(db).where(sql<boolean>`EXISTS (SELECT 1)`), 'UNROUTED'],
  [
    'a sub-query in two pieces',
    (db) => pinned(db).where(sql<boolean>`exists (sel${sql.raw('ect')} 1)`),
    'UNROUTED',
  ],
  [
    'a sub-query of Kysely in a fragment',
    (db) =>
      pinned(db).where(
        (eb) =>
          sql<boolean>`exists ${eb.selectFrom('messages').select('id').whereRef('account_id', '=', 'accounts.id')}`,
      ),
    1,
  ],
  [
    'a free sub-query of Kysely in a fragment',
    (db) => pinned(db).where((eb) => sql<boolean>`exists ${eb.selectFrom('messages').select('id')}`),
    'UNROUTED',
  ],
  [
    'a write of Kysely in a fragment',
    (db) => pinned(db).where(() => sql<boolean>`${db.deleteFrom('messages')}`),
    'UNROUTED',
  ],
  ['a table by TABLE', (db) => pinned(db).where(sql<boolean>`exists (table messages)`), 'UNROUTED'],
  [
    'a table of Kysely in a fragment',
    (db) => pinned(db).where(sql<boolean>`exists (${sql.table('messages')})`),
    'UNROUTED',
  ],
  [
    'a function that reads tables',
    (db) => pinned(db).where(sql<boolean>`query_to_xml('x', true, true, '') is null`),
    'UNROUTED',
  ],
  [
    'such a function of Kysely',
    (db) => pinned(db).where((eb) => eb(eb.fn('table_to_xml', ['name']), '=', 'x')),
    'UNROUTED',
  ],
  [
    'a function that is more than a name',
    (db) => pinned(db).where((eb) => eb(eb.fn('lower(name) or lower', ['name']), '=', 'x')),
    'UNROUTED',
  ],
  ['extract from', (db) => pinned(db).where(sql<boolean>`extract(year from name) = 1`), 'UNROUTED'],
  [
    'IN with a table, as SQLite has it',
    (db) => pinned(db).where(sql<boolean>`plan_id in messages`),
    'UNROUTED',
  ],
  ['IN with a list', (db) => pinned(db).where(sql<boolean>`plan_id in (${1}, ${2})`), 1],
  ['IN of Kysely with a raw table', (db) => pinned(db).where('plan_id', 'in', sql`messages`), 'UNROUTED'],
  [
    'IN of Kysely with a table',
    (db) => pinned(db).where((eb) => eb('plan_id', 'in', sql.table('messages'))),
    'UNROUTED',
  ],
  [
    'IN of Kysely with a name',
    (db) => pinned(db).where((eb) => eb('plan_id', 'not in', sql.ref('messages'))),
    'UNROUTED',
  ],
  ['IN of Kysely with a raw list', (db) => pinned(db).where('plan_id', 'in', sql`(1, 2)`), 1],
  ['a raw column', (db) => pinned(db).select(sql`lower(name)`.as('l')), 1],
  [
    'a raw count',
    (db) => db.selectFrom('messages').select(sql`count(*)`.as('n')).where('account_id', '=', 5n),
    1,
  ],
  ['a raw list of columns', (db) => pinned(db).select(sql`name, email` as never), 'UNROUTED'],
  [
    'a raw FROM in the select list',
    (db) => db.selectFrom('accounts').select(sql`1 from messages`.as('x')).where('id', '=', 5n),
    'UNROUTED',
  ],
  ['a raw order', (db) => pinned(db).orderBy(sql`name desc nulls last`), 1],
  ['a raw direction', (db) => pinned(db).orderBy('name', sql`desc`), 1],
  ['a raw order with a sub-query', (db) => pinned(db).orderBy(sql`(select 1)`), 'UNROUTED'],
  [
    'a raw order that goes on with UNION',
    (db) => pinned(db).orderBy(sql`name union all values (1)`),
    'UNROUTED',
  ],
  [
    'a raw group',
    (db) => db.selectFrom('messages').select('body').where('account_id', '=', 5n).groupBy(sql`body`),
    1,
  ],
  [
    'a raw HAVING',
    (db) =>
      db
        .selectFrom('messages')
        .select('body')
        .where('account_id', '=', 5n)
        .groupBy('body')
        .having(sql<boolean>`count(*) > 1`),
    1,
  ],
  [
    'a raw ON',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin('messages as m', (j) =>
          j.onRef('m.account_id', '=', 'a.id').on(sql<boolean>`m.id > 5 or 1 = 1`),
        )
        .selectAll()
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a raw ON alone',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin('messages as m', (j) => j.on(sql<boolean>`m.account_id = a.id`))
        .selectAll()
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
  ['a raw end', (db) => pinned(db).modifyEnd(sql`or 1 = 1`), 'UNROUTED'],
  ['a raw front', (db) => pinned(db).modifyFront(sql`name as id,`), 'UNROUTED'],
  ['any of values', (db) => pinned(db).where('name', '=', sql`any(${'x'})`), 1],
  ['a cast', (db) => pinned(db).where('name', '=', sql`${'x'}::text`), 1],
  ['a placeholder', (db) => pinned(db).where(sql<boolean>`name = ?`), 'UNROUTED'],
  ['a numbered placeholder', (db) => pinned(db).where(sql<boolean>`name = $1`), 'UNROUTED'],
  ['a named placeholder', (db) => pinned(db).where(sql<boolean>`name = :a`), 'UNROUTED'],
  ['an array', (db) => pinned(db).where(sql<boolean>`name = any(array[1, 2])`), 1],
  ['a quote inside of brackets', (db) => pinned(db).where(sql<boolean>`name = [a'b]`), 'UNROUTED'],
  ['another alphabet', (db) => pinned(db).where(sql<boolean>`ｎame = 1`), 'UNROUTED'],
  [
    'a raw table of a global statement',
    (db) => db.selectFrom('plans').selectAll().where(sql<boolean>`exists (select 1 from accounts)`),
    'UNROUTED',
  ],
  [
    'a raw condition of a global statement',
    (db) => db.selectFrom('plans').selectAll().where(sql<boolean>`price > 5`),
    'global',
  ],
  [
    'a raw statement',
    () => sql`select * from accounts where id = ${5n}`.$castTo(),
    'UNROUTED',
  ] as unknown as Case,
]
