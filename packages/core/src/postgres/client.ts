/** The part of postgres.js that is used; a `postgres.Sql` is one. */
export interface PostgresClient extends PostgresQueries {
  reserve(): Promise<PostgresConnection>
  end(options?: { timeout?: number }): Promise<void>
}

/** A connection taken from the pool. */
export interface PostgresConnection extends PostgresQueries {
  release(): void
}

/** What runs statements. */
export interface PostgresQueries {
  // biome-ignore lint/suspicious/noExplicitAny: the driver's own types for parameters and options are narrower
  unsafe(query: string, parameters?: any[], options?: any): PostgresQuery
}

/** A query that has not run yet; awaiting it runs it. */
export interface PostgresQuery extends Promise<PostgresRows> {
  cursor(rows: number): AsyncIterable<Record<string, unknown>[]>
  cancel(): unknown
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

/**
 * What postgres.js 3.4 keeps on a query beside its published types: `state` is null until the query has
 * been handed to a connection; `canceller` sends the cancel request and, unlike `cancel()`, gives its promise.
 */
export interface QueryInside {
  readonly state: object | null
  readonly canceller: ((query: unknown) => Promise<void>) | null
}

/**
 * What it keeps on a connection; handed to the `onexecute` option. `onclose` is called at once when the
 * socket closes. A statement sent on a reserved connection after that would run outside its transaction.
 */
export interface ConnectionInside {
  onclose: ((error: unknown) => void) | null
}
