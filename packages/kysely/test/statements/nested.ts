import type { Case } from './case.ts'

/** Queries in other expressions. */
export const nested: readonly Case[] = [
  [
    'a query in the select list',
    (db) =>
      db
        .selectFrom('accounts as a')
        .select((eb) => [
          'a.id',
          eb
            .selectFrom('messages as m')
            .select((e) => e.fn.countAll().as('n'))
            .whereRef('m.account_id', '=', 'a.id')
            .as('n'),
        ])
        .where('a.id', '=', 5n),
    1,
  ],
  [
    'a free query in the select list',
    (db) =>
      db
        .selectFrom('accounts as a')
        .select((eb) => [
          'a.id',
          eb
            .selectFrom('messages as m')
            .select((e) => e.fn.countAll().as('n'))
            .as('n'),
        ])
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a query of a reference table in the select list',
    (db) =>
      db
        .selectFrom('accounts as a')
        .select((eb) => [
          'a.id',
          eb.selectFrom('countries as c').select('c.name').whereRef('c.code', '=', 'a.country').as('n'),
        ])
        .where('a.id', '=', 5n),
    1,
  ],
  [
    'a query of a global table in the select list',
    (db) =>
      db
        .selectFrom('accounts as a')
        .select((eb) => [
          'a.id',
          eb.selectFrom('plans as p').select('p.name').whereRef('p.id', '=', 'a.plan_id').as('n'),
        ])
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a free query in ORDER BY',
    (db) =>
      db
        .selectFrom('accounts as a')
        .select('a.id')
        .where('a.id', '=', 5n)
        .orderBy((eb) => eb.selectFrom('messages as m').select('m.id').limit(1)),
    'UNROUTED',
  ],
  [
    'a query by key in ORDER BY',
    (db) =>
      db
        .selectFrom('accounts as a')
        .select('a.id')
        .where('a.id', '=', 5n)
        .orderBy((eb) =>
          eb.selectFrom('messages as m').select('m.id').whereRef('m.account_id', '=', 'a.id').limit(1),
        ),
    1,
  ],
  [
    'a free query in GROUP BY',
    (db) =>
      db
        .selectFrom('accounts as a')
        .select('a.id')
        .where('a.id', '=', 5n)
        .groupBy((eb) => eb.selectFrom('messages').select('id').limit(1)),
    'UNROUTED',
  ],
  [
    'a free query in HAVING',
    (db) =>
      db
        .selectFrom('accounts as a')
        .select('a.id')
        .where('a.id', '=', 5n)
        .groupBy('a.id')
        .having((eb) => eb.exists(eb.selectFrom('messages').select('id'))),
    'UNROUTED',
  ],
  [
    'a free query in LIMIT',
    (db) =>
      db
        .selectFrom('accounts as a')
        .select('a.id')
        .where('a.id', '=', 5n)
        .limit((eb) => eb.selectFrom('messages').select('id').limit(1)),
    'UNROUTED',
  ],
  [
    'a free query in a function',
    (db) =>
      db
        .selectFrom('accounts as a')
        .select((eb) => eb.fn.coalesce(eb.selectFrom('messages').select('id').limit(1), eb.val(1n)).as('n'))
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a free query in ON',
    (db) =>
      db
        .selectFrom('accounts as a')
        .innerJoin('messages as m', (j) =>
          j
            .onRef('m.account_id', '=', 'a.id')
            .on((eb) => eb.exists(eb.selectFrom('attachments').select('id'))),
        )
        .selectAll()
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
]
