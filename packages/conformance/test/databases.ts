import { expect, test } from 'vitest'

/** May an engine be tested here? */
export type Availability =
  | { readonly state: 'configured'; readonly url: string }
  | { readonly state: 'excluded' }
  | { readonly state: 'missing' }

/** A database engine of the matrix. */
export interface Database {
  readonly name: 'sqlite' | 'postgres' | 'mariadb' | 'postgres behind pgbouncer'
  readonly dialect: 'sqlite' | 'postgres' | 'mysql'
  readonly availability: Availability
}

/** The engines of the matrix. SQLite needs no server: each test opens its own file or memory. */
export const databases: readonly Database[] = [
  { name: 'sqlite', dialect: 'sqlite', availability: availabilityOf('sqlite', ':memory:') },
  {
    name: 'postgres',
    dialect: 'postgres',
    availability: availabilityOf('postgres', process.env.SHARD_TEST_POSTGRES_URL),
  },
  {
    name: 'mariadb',
    dialect: 'mysql',
    availability: availabilityOf('mysql', process.env.SHARD_TEST_MYSQL_URL),
  },
]

/**
 * PostgreSQL behind PgBouncer in transaction mode: a session ends with its transaction, and nothing that is
 * prepared outlives it. What an executor promises must hold there; features see only the executor.
 */
export const behindPgBouncer: Database = {
  name: 'postgres behind pgbouncer',
  dialect: 'postgres',
  availability: availabilityOf('postgres', unprepared(process.env.SHARD_TEST_PGBOUNCER_URL)),
}

/** The S3 store; `DIALECTS` leaves it out when no address is given. */
export const s3Store: Availability = process.env.SHARD_TEST_S3_ENDPOINT
  ? { state: 'configured', url: process.env.SHARD_TEST_S3_ENDPOINT }
  : { state: process.env.DIALECTS ? 'excluded' : 'missing' }

/**
 * Runs `body` with the address if there is one. An engine without a server never passes in silence: on a
 * build server it is a failing test, on a person's machine and when `DIALECTS` excludes it a skipped one.
 */
export function withServer(name: string, availability: Availability, body: (url: string) => void): void {
  const isCi = !['', '0', 'false'].includes(process.env.CI ?? '')
  if (availability.state === 'configured') body(availability.url)
  else if (availability.state === 'excluded') test.skip(`${name}: left out by DIALECTS`)
  else if (!isCi) test.skip(`${name}: no server, run the tests with \`pnpm test\` to get one`)
  else test(`${name} has a server`, () => expect.fail('no server, and a build server may not leave one out'))
}

function availabilityOf(dialect: Database['dialect'], url: string | undefined): Availability {
  const wanted = process.env.DIALECTS?.split(',').map((name) => name.trim())
  if (wanted && !wanted.includes(dialect)) return { state: 'excluded' }
  return url ? { state: 'configured', url } : { state: 'missing' }
}

/** The address with what makes postgres.js prepare nothing. */
function unprepared(url: string | undefined): string | undefined {
  return url && `${url}?prepare=false`
}
