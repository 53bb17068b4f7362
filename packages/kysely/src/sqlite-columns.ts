import { sqliteStaysBigint } from '@shard/core/adapter'
import type { ColumnsOf } from './column-reading.ts'

/** The part that is used of a database with better-sqlite3's interface, such as better-sqlite3's and libSQL's. */
export interface DescribingSqlite {
  prepare(sql: string): {
    readonly reader: boolean
    columns(): readonly { readonly name: string; readonly type: string | null }[]
  }
}

/**
 * Reads integers by the declared types of their columns. The database must give every integer as a bigint:
 * call its `defaultSafeIntegers(true)` first, or large ones are rounded before anybody can see it.
 */
export function sqliteColumns(database: DescribingSqlite): ColumnsOf {
  return ({ sql }) => {
    const statement = database.prepare(sql)
    if (!statement.reader) return []
    return statement
      .columns()
      .map(({ name, type }) => ({ name, integer: sqliteStaysBigint(type) ? null : 'number' }))
  }
}
