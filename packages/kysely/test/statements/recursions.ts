import type { Case } from './case.ts'

/** Recursion: proven for each of its queries. */
export const recursions: readonly Case[] = [
  [
    'a recursion by key',
    (db) =>
      db
        .withRecursive('t(id, account_id)', (q) =>
          q
            .selectFrom('messages')
            .select(['id', 'account_id'])
            .where('account_id', '=', 5n)
            .where('id', '=', 1n)
            .unionAll(
              q
                .selectFrom('messages as m')
                .innerJoin('t', (j) =>
                  j.onRef('m.parent_id', '=', 't.id').onRef('m.account_id', '=', 't.account_id'),
                )
                .select(['m.id', 'm.account_id']),
            ),
        )
        .selectFrom('t')
        .selectAll(),
    1,
  ],
  [
    'a recursion by another column',
    (db) =>
      db
        .withRecursive('t(id, account_id)', (q) =>
          q
            .selectFrom('messages')
            .select(['id', 'account_id'])
            .where('account_id', '=', 5n)
            .unionAll(
              q
                .selectFrom('messages as m')
                .innerJoin('t', 'm.parent_id', 't.id')
                .select(['m.id', 'm.account_id']),
            ),
        )
        .selectFrom('t')
        .selectAll(),
    'UNROUTED',
  ],
  [
    'a recursion that gives another column as the key',
    (db) =>
      db
        .withRecursive('t(id, account_id)', (q) =>
          q
            .selectFrom('messages')
            .select(['id', 'account_id'])
            .where('account_id', '=', 5n)
            .unionAll(
              q
                .selectFrom('messages as m')
                .innerJoin('t', 'm.account_id', 't.account_id')
                .select(['m.account_id', 'm.id']),
            ),
        )
        .selectFrom('t')
        .selectAll(),
    'UNROUTED',
  ],
  [
    'a recursion that gives a computed key',
    (db) =>
      db
        .withRecursive('t(account_id)', (q) =>
          q
            .selectFrom('messages')
            .select('account_id')
            .where('account_id', '=', 5n)
            .unionAll(
              q
                .selectFrom('messages as m')
                .innerJoin('t', 'm.account_id', 't.account_id')
                .select((e) => e('t.account_id', '+', 1n).as('account_id')),
            ),
        )
        .selectFrom('t')
        .selectAll(),
    'UNROUTED',
  ],
  [
    'a recursion whose recursive arm is pinned by itself',
    (db) =>
      db
        .withRecursive('t(id)', (q) =>
          q
            .selectFrom('messages')
            .select('id')
            .where('account_id', '=', 5n)
            .unionAll(
              q
                .selectFrom('messages as m')
                .innerJoin('t', 'm.parent_id', 't.id')
                .select('m.id')
                .where('m.account_id', '=', 5n),
            ),
        )
        .selectFrom('t')
        .selectAll(),
    1,
  ],
  [
    'a recursion from a free query',
    (db) =>
      db
        .withRecursive('t(id, account_id)', (q) =>
          q
            .selectFrom('messages')
            .select(['id', 'account_id'])
            .unionAll(
              q
                .selectFrom('messages as m')
                .innerJoin('t', 'm.account_id', 't.account_id')
                .select(['m.id', 'm.account_id']),
            ),
        )
        .selectFrom('t')
        .selectAll()
        .where('t.account_id', '=', 5n),
    'UNROUTED',
  ],
  [
    'a recursion that passes the key on as it is',
    (db) =>
      db
        .withRecursive('t(id, account_id)', (q) =>
          q
            .selectFrom('messages')
            .select(['id', 'account_id'])
            .where('account_id', '=', 5n)
            .unionAll(
              q
                .selectFrom('messages as m')
                .innerJoin('t', (j) =>
                  j.onRef('m.parent_id', '=', 't.id').onRef('m.account_id', '=', 't.account_id'),
                )
                .select(['m.id', 't.account_id']),
            ),
        )
        .selectFrom('t')
        .innerJoin('accounts as a', 'a.id', 't.account_id')
        .selectAll(),
    1,
  ],
  [
    'a recursion of a reference table',
    (db) =>
      db
        .withRecursive('t(n)', (q) =>
          q
            .selectFrom('countries')
            .select('plan_id as n')
            .unionAll(
              q
                .selectFrom('t')
                .select((e) => e('t.n', '+', 1).as('n'))
                .where('t.n', '<', 5),
            ),
        )
        .selectFrom('t')
        .selectAll(),
    'global',
  ],
  [
    'a recursion, swapped keys in two steps',
    (db) =>
      db
        .withRecursive('t(a, b)', (q) =>
          q
            .selectFrom('messages')
            .select(['account_id as a', 'id as b'])
            .where('account_id', '=', 5n)
            .unionAll(
              q.selectFrom('t').innerJoin('accounts as x', 'x.id', 't.a').select(['t.b as a', 't.a as b']),
            ),
        )
        .selectFrom('t')
        .selectAll(),
    'UNROUTED',
  ],
]
