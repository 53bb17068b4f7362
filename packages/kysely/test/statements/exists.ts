import type { Case } from './case.ts'

/** Queries in conditions: each use of a table is proven for itself. */
export const exists: readonly Case[] = [
  [
    'exists by key',
    (db) =>
      db
        .selectFrom('accounts as a')
        .selectAll()
        .where('a.id', '=', 5n)
        .where((eb) =>
          eb.exists(eb.selectFrom('messages as m').select('m.id').whereRef('m.account_id', '=', 'a.id')),
        ),
    1,
  ],
  [
    'not exists by key',
    (db) =>
      db
        .selectFrom('accounts as a')
        .selectAll()
        .where('a.id', '=', 5n)
        .where((eb) =>
          eb.not(
            eb.exists(eb.selectFrom('messages as m').select('m.id').whereRef('a.id', '=', 'm.account_id')),
          ),
        ),
    1,
  ],
  [
    'exists, not by key',
    (db) =>
      db
        .selectFrom('accounts as a')
        .selectAll()
        .where('a.id', '=', 5n)
        .where((eb) =>
          eb.exists(eb.selectFrom('messages as m').select('m.id').whereRef('m.id', '=', 'a.plan_id')),
        ),
    'UNROUTED',
  ],
  [
    'exists, pinned inside only',
    (db) =>
      db
        .selectFrom('accounts as a')
        .selectAll()
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('messages as m')
              .select('m.id')
              .whereRef('m.account_id', '=', 'a.id')
              .where('m.account_id', '=', 5n),
          ),
        ),
    'UNROUTED',
  ],
  [
    'exists, the outer pinned inside only',
    (db) =>
      db
        .selectFrom('accounts as a')
        .selectAll()
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('messages as m')
              .select('m.id')
              .whereRef('m.account_id', '=', 'a.id')
              .where('a.id', '=', 5n),
          ),
        ),
    'UNROUTED',
  ],
  [
    'exists in an OR',
    (db) =>
      db
        .selectFrom('accounts as a')
        .selectAll()
        .where('a.id', '=', 5n)
        .where((eb) =>
          eb.or([
            eb('a.name', '=', 'x'),
            eb.exists(eb.selectFrom('messages as m').select('m.id').whereRef('m.account_id', '=', 'a.id')),
          ]),
        ),
    1,
  ],
  [
    'exists of a free query in an OR',
    (db) =>
      db
        .selectFrom('accounts as a')
        .selectAll()
        .where('a.id', '=', 5n)
        .where((eb) =>
          eb.or([eb('a.name', '=', 'x'), eb.exists(eb.selectFrom('messages as m').select('m.id'))]),
        ),
    'UNROUTED',
  ],
  [
    'exists, two levels',
    (db) =>
      db
        .selectFrom('accounts as a')
        .selectAll()
        .where('a.id', '=', 5n)
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('messages as m')
              .select('m.id')
              .whereRef('m.account_id', '=', 'a.id')
              .where((eb2) =>
                eb2.exists(
                  eb2.selectFrom('attachments as x').select('x.id').whereRef('x.account_id', '=', 'a.id'),
                ),
              ),
          ),
        ),
    1,
  ],
  [
    'exists, two levels, the inner one free',
    (db) =>
      db
        .selectFrom('accounts as a')
        .selectAll()
        .where('a.id', '=', 5n)
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('messages as m')
              .select('m.id')
              .whereRef('m.account_id', '=', 'a.id')
              .where((eb2) =>
                eb2.exists(
                  eb2.selectFrom('attachments as x').select('x.id').whereRef('x.message_id', '=', 'm.id'),
                ),
              ),
          ),
        ),
    'UNROUTED',
  ],
  [
    'an unqualified column that the inner query captures',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where('accounts.id', '=', 5n)
        .where((eb) => eb.exists(eb.selectFrom('messages').select('body').whereRef('account_id', '=', 'id'))),
    'UNROUTED',
  ],
  [
    'an inner alias that hides the outer one',
    (db) =>
      db
        .selectFrom('accounts as a')
        .selectAll()
        .where('a.id', '=', 5n)
        .where((eb) =>
          eb.exists(eb.selectFrom('messages as a').select('a.id').whereRef('a.account_id', '=', 'a.id')),
        ),
    'UNROUTED',
  ],
  [
    'in a pinned query',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', 5n)
        .where((eb) =>
          eb('plan_id', 'in', eb.selectFrom('messages').select('parent_id').where('account_id', '=', 5n)),
        ),
    1,
  ],
  [
    'in a free query',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where('id', '=', 5n)
        .where((eb) => eb('id', 'in', eb.selectFrom('messages').select('account_id'))),
    'UNROUTED',
  ],
  [
    'the key in a pinned query',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) =>
          eb('id', 'in', eb.selectFrom('messages').select('account_id').where('account_id', '=', 5n)),
        ),
    'UNROUTED',
  ],
  [
    'the key equal to a query',
    (db) =>
      db
        .selectFrom('accounts')
        .selectAll()
        .where((eb) =>
          eb('id', '=', eb.selectFrom('messages').select('account_id').where('account_id', '=', 5n)),
        ),
    'UNROUTED',
  ],
]
