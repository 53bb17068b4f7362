import { InvalidArgumentError } from '@shard/core'
import { sqliteError } from '@shard/core/adapter'
import type { Engine } from './engine.ts'
import { meaningBy } from './meaning.ts'

/** SQLite behind Kysely: better-sqlite3, libSQL, Cloudflare D1. */
export const sqlite: Engine = {
  meaning: (error, lost) => meaningBy(error, lost, sqliteError),
  // Drivers bind a number as a float, and have no booleans: libSQL ends the process over one.
  encode(value) {
    if (typeof value === 'boolean') return value ? 1n : 0n
    return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value
  },
  // libSQL gives bytes as an ArrayBuffer, D1 as an array of numbers.
  decode(value) {
    if (value instanceof ArrayBuffer) return new Uint8Array(value)
    return Array.isArray(value) ? Uint8Array.from(value) : value
  },
  // Some drivers run the first statement of several and forget the rest. A trigger has several inside.
  refusal(words) {
    const isTrigger = /^\s*create\s+(?:temp\s+|temporary\s+)?trigger\b/i.test(words)
    return !isTrigger && /;[\s;]*[^\s;]/.test(words) ? 'one statement at a time' : null
  },
  failureDooms: false,
  paging: {
    keep: (name, sql) => `create temp table ${name} as ${sql}`,
    kept: (name) => `select * from temp.${name}`,
    page(name, columns, after, rows) {
      const rowid = rowidBeside(columns)
      return `select ${columns} from temp.${name} where ${rowid} > ${after} order by ${rowid} limit ${rows}`
    },
    drop: (name) => `drop table if exists temp.${name}`,
  },
}

/** A name of the row's own number that no column has. */
function rowidBeside(columns: string): string {
  const rowid = ['rowid', '_rowid_', 'oid'].find((name) => !columns.toLowerCase().includes(`"${name}"`))
  if (rowid) return rowid
  throw new InvalidArgumentError('a stream cannot have columns rowid, _rowid_ and oid together')
}
