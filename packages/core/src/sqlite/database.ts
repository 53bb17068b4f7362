/** The part of a better-sqlite3 `Database` that is used. */
export interface SqliteDatabase {
  readonly open: boolean
  readonly readonly: boolean
  readonly memory?: boolean
  readonly inTransaction: boolean
  prepare(sql: string): SqliteStatement
  pragma(source: string, options?: { simple?: boolean }): unknown
  close(): unknown
}

/** The part of a better-sqlite3 `Statement` that is used. */
export interface SqliteStatement {
  /** True when it gives rows: a select, or a write with RETURNING. */
  readonly reader: boolean
  /** True when it writes nothing. */
  readonly readonly: boolean
  safeIntegers(on: boolean): unknown
  columns(): { name: string; type: string | null }[]
  all(...parameters: unknown[]): unknown[]
  run(...parameters: unknown[]): { changes: number | bigint }
}
