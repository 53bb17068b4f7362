import { mysqlExecutor } from '@shard/core/mysql'
import { schema as directorySchema, mysqlDirectory } from '@shard/directory/mysql'
import { mysqlRegistry } from '@shard/registry/mysql'
import { sql } from 'kysely'
import { mysqlShardSchema } from '../shard-schema.ts'
import type { Engine } from './engine.ts'
import { CONNECT_TIMEOUT_MS, CONNECTIONS, codeOf, onServer, type Server } from './server.ts'

/** https://dev.mysql.com/doc/mysql-errors/8.0/en/server-error-reference.html: no such database; it is there already */
const MISSING = 1049
const TAKEN = 1007

const server: Server = {
  async connect(address, connectionLimit) {
    const { default: mysql } = await import('mysql2')
    const uri = address.replace(/^mariadb:/i, 'mysql:')
    return mysqlExecutor(mysql.createPool({ uri, connectionLimit, connectTimeout: CONNECT_TIMEOUT_MS }))
  },
  maintenance: '',
  create: (name) => sql`create database ${sql.id(name)} character set utf8mb4 collate utf8mb4_bin`,
  isMissing: (error) => codeOf(error, 'errno') === MISSING,
  isTaken: (error) => codeOf(error, 'errno') === TAKEN,
  // Of the connection, on the whole server. A host that died is noticed when it was silent for so many seconds.
  lock: [
    'set session wait_timeout = 600',
    "select get_lock(concat('shard_demo.', sha1(database())), 2) as locked",
  ],
}

/** MySQL 8 and MariaDB. */
export const mysql: Engine = {
  ...onServer(server),
  connections: CONNECTIONS,
  shardBytes: 12_000_000n,
  shardSchema: mysqlShardSchema,
  directorySchema,
  directory: mysqlDirectory,
  registry: mysqlRegistry,
}
