import { mysqlError } from '@shard/core/adapter'
import type { Engine } from './engine.ts'
import { meaningBy } from './meaning.ts'

/**
 * Statements that commit the open transaction by themselves:
 * https://dev.mysql.com/doc/refman/8.0/en/implicit-commit.html
 */
const commits =
  /^\s*(?:alter|create(?!\s+temporary)|drop(?!\s+temporary)|rename|truncate|grant|revoke|(?:un)?lock|analyze|optimize|check|repair|flush|reset|cache|load|install|uninstall|change|start|stop|set\s+password)\b/i

/** MySQL and MariaDB behind Kysely; for mysql2 itself there is `mysqlExecutor`. */
export const mysql: Engine = {
  meaning: (error, lost) => meaningBy(error, lost, mysqlError),
  // mysql2 takes bytes only as a Buffer.
  encode(value) {
    if (!(value instanceof Uint8Array) || Buffer.isBuffer(value)) return value
    return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  },
  decode: null,
  // What comes after it would be applied at once, and Kysely does not say so.
  refusal: (words, insideTransaction) =>
    insideTransaction && commits.test(words) ? 'the statement would commit the transaction around it' : null,
  failureDooms: false,
  paging: null,
}
