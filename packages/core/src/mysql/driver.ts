/** The part of a mysql2 pool that is used; what `mysql2` makes, or `mysql2/promise` (which keeps the former inside). */
export type MysqlPool = MysqlCallbackPool | { readonly pool: MysqlCallbackPool }

/** A pool of `mysql2`. */
export interface MysqlCallbackPool {
  // biome-ignore lint/suspicious/noExplicitAny: the driver's own types for its callbacks are narrower
  getConnection(callback: (error: any, connection: any) => any): void
  // biome-ignore lint/suspicious/noExplicitAny: as above
  end(callback?: (error?: any) => any): void
}

/** What mysql2 keeps on a pool beside its published types: how its connections are made. */
export interface PoolInside {
  readonly config?: { readonly connectionConfig?: ConnectionConfig }
  /** Who waits for a connection. */
  readonly _connectionQueue?: {
    readonly length: number
    get(index: number): unknown
    removeOne(index: number): unknown
  }
}

/** The settings that change how rows are read or counted. */
export interface ConnectionConfig {
  readonly clientFlags?: number
  readonly decimalNumbers?: boolean
  readonly typeCast?: unknown
  readonly maxPreparedStatements?: number
  rowsAsArray?: boolean
  supportBigNumbers?: boolean
  bigNumberStrings?: boolean
}

/** A connection taken from the pool. */
export interface MysqlConnection {
  readonly threadId: number | null
  readonly config: ConnectionConfig
  readonly stream?: { destroy(error: Error): void }
  query(sql: string, callback?: Answer): MysqlCommand
  execute(sql: string, values: readonly unknown[], callback?: Answer): MysqlCommand
  prepare(sql: string, callback: (error: unknown, statement: PreparedInside) => void): void
  unprepare(sql: string): void
  on(event: 'error' | 'end', listener: (error: Error) => void): unknown
  off(event: 'error', listener: (error: Error) => void): unknown
  release(): void
  destroy(): void
}

/** Rows with their fields for a reading statement; the server's counts for any other. */
export type Answer = (error: unknown, rows: unknown, fields: readonly MysqlField[] | undefined) => void

/** A command in flight. */
export interface MysqlCommand {
  stream(options: { highWaterMark: number }): MysqlStream
  on(event: 'fields', listener: (fields: readonly MysqlField[]) => void): unknown
  on(event: 'end', listener: () => void): unknown
}

/** The rows of a command, one at a time. */
export type MysqlStream = AsyncIterable<Record<string, unknown>> & { destroy(error: Error): void }

/** A column as the server describes it; `orgTable` is empty for a computed value. */
export interface MysqlField {
  readonly name: string
  readonly columnType: number
  readonly orgTable: string
}

/** What mysql2 keeps on a prepared statement: the types of its parameters, which decide how values are sent. */
export interface PreparedInside {
  parameters: { columnType: number; flags: number }[]
}

/** What the server says of a statement that gave no rows. */
export interface MysqlCounts {
  readonly affectedRows: number
  /** Bit 0: a transaction is open. */
  readonly serverStatus: number
}
