import { postgresExecutor } from '@shard/core/postgres'
import { schema as directorySchema, postgresDirectory } from '@shard/directory/postgres'
import { postgresRegistry } from '@shard/registry/postgres'
import { sql } from 'kysely'
import { ansiShardSchema } from '../shard-schema.ts'
import type { Engine } from './engine.ts'
import { CONNECT_TIMEOUT_MS, CONNECTIONS, codeOf, onServer, type Server } from './server.ts'

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: no such database; database, or its name, is taken */
const MISSING = '3D000'
const TAKEN: ReadonlySet<unknown> = new Set(['42P04', '23505'])

const server: Server = {
  async connect(address, max) {
    const { default: postgres } = await import('postgres')
    const database = decodeURIComponent(new URL(address).pathname.slice(1))
    const options = { database, max, connect_timeout: CONNECT_TIMEOUT_MS / 1_000, onnotice: () => {} }
    return postgresExecutor(postgres(address, options))
  },
  maintenance: 'postgres',
  create: (name) => sql`create database ${sql.id(name)} encoding 'UTF8' template template0`,
  isMissing: (error) => codeOf(error, 'code') === MISSING,
  isTaken: (error) => TAKEN.has(codeOf(error, 'code')),
  // Of the transaction; the number is 'demo' in ASCII. A host that died is noticed after a minute or so.
  lock: [
    "select set_config('tcp_keepalives_idle', '30', true)",
    "select set_config('idle_in_transaction_session_timeout', '0', true)",
    "select set_config('lock_timeout', '2s', true)",
    'select 1 as locked from (select pg_advisory_xact_lock(1684368751)) as taken',
  ],
}

/** PostgreSQL. An empty database has about 8 MB, and a shard is sealed at half of its size. */
export const postgres: Engine = {
  ...onServer(server),
  connections: CONNECTIONS,
  shardBytes: 18_000_000n,
  shardSchema: ansiShardSchema,
  directorySchema,
  directory: postgresDirectory,
  registry: postgresRegistry,
}
