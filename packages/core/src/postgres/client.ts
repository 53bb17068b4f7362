/** The part of postgres.js that is used; a `postgres.Sql` is one. */
export interface PostgresClient {
  // biome-ignore lint/suspicious/noExplicitAny: the driver's own types for parameters and options are narrower
  unsafe(query: string, parameters?: any[], options?: any): PostgresQuery
  end(options?: { timeout?: number }): Promise<void>
}

/** A query that has not run yet; awaiting it runs it. */
export interface PostgresQuery extends Promise<PostgresRows> {
  cursor(rows: number): AsyncIterable<Record<string, unknown>[]>
}

/** The rows of a result or page, with what the server says of them. */
export interface PostgresRows extends Array<Record<string, unknown>> {
  readonly count: number | null
  readonly command: string
  readonly columns: readonly PostgresColumn[] | undefined
}

/** A column as the server describes it; `table` is 0 for a computed value. */
export interface PostgresColumn {
  readonly name: string
  readonly type: number
  readonly table: number
}

/** What postgres.js 3.4 keeps on a client beside its published types; changes count for later connections. */
export interface ClientInside {
  readonly options?: {
    readonly max?: number
    /** In seconds. */
    readonly idle_timeout?: number | null
    readonly max_lifetime?: number | (() => number) | null
    fetch_types?: boolean
    /** Makes the socket of each connection, if set. */
    socket?: unknown
    readonly parsers?: Record<number, Parser | undefined>
  }
}

/** How text of a type is read; that of an array gets it without its first brace. */
export interface Parser {
  (text: string): unknown
  array?: boolean
}

/** What it keeps on a query. */
export interface QueryInside {
  /** Takes the query to a connection, when it is first awaited. */
  handler: (query: QueryInside) => unknown
  /** True when that has been done. */
  executed: boolean
  /** Null until the query has been handed to a connection. */
  readonly state: object | null
  /** True while the statement is only being described, before its parameters are sent. */
  readonly describeFirst?: boolean
  /** Sends a cancel request, and resolves when the server has taken it. */
  readonly canceller: (query: QueryInside) => Promise<void>
  /** Takes the failure, once there is one. */
  reject: (error: unknown) => void
}

/** What it keeps on a connection; handed to the `onexecute` option. */
export interface ConnectionInside {
  /** Sends a query at once. On a connection whose socket has closed it would fail outside of every promise. */
  execute(query: QueryInside): unknown
  /** Closes the connection, and refuses what was sent on it and not answered. */
  terminate(): void
  /**
   * Called when the server is ready for the next statement, if set; with `release` the driver then leaves the
   * connection to whoever set it, else it takes it back into its pool.
   */
  reserved: ((() => void) & { release?: boolean }) | null
  /** Called once, at once, when the socket has closed. */
  onclose: ((error: unknown) => void) | null
}
