import { sql } from 'kysely'
import { jsonArrayFrom as jsonArrayOnMysql } from 'kysely/helpers/mysql'
import {
  jsonArrayFrom as jsonArrayOnPostgres,
  jsonObjectFrom as jsonObjectOnPostgres,
} from 'kysely/helpers/postgres'
import { jsonArrayFrom as jsonArrayOnSqlite } from 'kysely/helpers/sqlite'
import type { Case } from './case.ts'

/** The fragments of Kysely's JSON helpers, which hold a query. */
export const json: readonly Case[] = [
  [
    'JSON of PostgreSQL',
    (db) =>
      db
        .selectFrom('accounts as a')
        .select((eb) => [
          'a.id',
          jsonArrayOnPostgres(
            eb.selectFrom('messages as m').select(['m.id']).whereRef('m.account_id', '=', 'a.id'),
          ).as('m'),
        ])
        .where('a.id', '=', 5n),
    1,
  ],
  [
    'JSON of PostgreSQL, free',
    (db) =>
      db
        .selectFrom('accounts as a')
        .select((eb) => [
          'a.id',
          jsonObjectOnPostgres(eb.selectFrom('messages as m').select(['m.id'])).as('m'),
        ])
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
  [
    'JSON of SQLite',
    (db) =>
      db
        .selectFrom('accounts as a')
        .select((eb) => [
          'a.id',
          jsonArrayOnSqlite(
            eb.selectFrom('messages as m').select(['m.id', 'm.body']).whereRef('m.account_id', '=', 'a.id'),
          ).as('m'),
        ])
        .where('a.id', '=', 5n),
    1,
  ],
  [
    'JSON of MySQL',
    (db) =>
      db
        .selectFrom('accounts as a')
        .select((eb) => [
          'a.id',
          jsonArrayOnMysql(
            eb.selectFrom('messages as m').select(['m.id', 'm.body']).whereRef('m.account_id', '=', 'a.id'),
          ).as('m'),
        ])
        .where('a.id', '=', 5n),
    1,
  ],
  [
    "a fragment that looks like JSON's",
    (db) =>
      db
        .selectFrom('accounts as a')
        .select(() => [
          'a.id',
          sql`(select coalesce(json_agg(agg), '[]') from ${sql.table('messages')} as agg)`.as('m'),
        ])
        .where('a.id', '=', 5n),
    'UNROUTED',
  ],
]
