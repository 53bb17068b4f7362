import type { RoutingKey, ShardId } from './id.ts'

/** The engines that Shard speaks; MariaDB is `mysql`. */
export type DialectName = 'sqlite' | 'postgres' | 'mysql'

/** SQL in the engine's own spelling with its parameters; a compiled Kysely query is one. */
export interface Statement {
  readonly sql: string
  readonly parameters: readonly unknown[]
}

/** A statement, or how to write it for the engine that will run it. */
export type StatementSource = Statement | ((dialect: DialectName) => Statement)

/** Which database a call is for: the global one, a shard by number, or the shard that holds a key. */
export type Route = 'global' | { readonly shard: ShardId } | { readonly key: RoutingKey }

/** What every call on an executor takes. */
export interface CallOptions {
  /** Ignored by an executor that is not sharded. */
  readonly route?: Route | undefined
  readonly signal?: AbortSignal | undefined
}

/** What a statement gave back. */
export interface Result<Row> {
  readonly rows: readonly Row[]
  /** Rows inserted, updated or deleted; matched rows count, changed or not; 0 for a read. */
  readonly affectedRows: bigint
}

/** Makes sure that a physical connection leads to the right database. */
export type ConnectionCheck = (connection: Pick<Executor, 'dialect' | 'execute'>) => Promise<void>

/**
 * Runs SQL on one database, or on the right one of many.
 *
 * Integers are typed by their column, never by their value: a BIGINT column and whatever the engine
 * computes as an integer is a `bigint`; a column declared as a narrower integer is a `number`.
 * Blobs are `Uint8Array`, absent values `null`.
 */
export interface Executor extends AsyncDisposable {
  readonly dialect: DialectName
  /** The name of the sharded family; null when not sharded. */
  readonly family: string | null
  /**
   * False on an engine that cannot carry 64-bit integers, such as Cloudflare D1: every integer is then a
   * `number`, one beyond 2^53-1 is refused both ways, and ids must come from a codec with `idBits: 53`.
   */
  readonly int64?: false
  /** True when closing loses the data, as with a database in memory. */
  readonly ephemeral?: true

  /**
   * Runs one statement.
   * @throws ShardError with the driver's error as its cause; `outcome` says whether a write was applied
   */
  execute<Row = Record<string, unknown>>(
    statement: StatementSource,
    options?: CallOptions,
  ): Promise<Result<Row>>

  /** Reads rows one at a time with bounded memory; leaving the loop early frees what it holds. */
  stream<Row = Record<string, unknown>>(statement: StatementSource, options?: CallOptions): AsyncIterable<Row>

  /**
   * Runs `work` in one transaction on one database: committed when it resolves, rolled back when it
   * rejects. Inside `work`, use only the executor it is given; a transaction begun on that one is a savepoint.
   * On MySQL, DDL (and a procedure that commits) commits what came before it, as the engine has it; in a
   * savepoint DDL is refused there.
   * @throws TransactionBusyError if the outer executor is used inside `work`
   */
  transaction<T>(work: (tx: Executor) => Promise<T>, options?: CallOptions): Promise<T>

  /** The shards that can be named in a route, ascending; empty when not sharded. */
  shardIds(): readonly ShardId[]

  /**
   * From now on runs `check` on each physical connection before its first use: a connection that it refuses is
   * not used, and the call that met it rejects with what `check` throws. Absent where there is one connection
   * for good, or where the driver does not tell them apart.
   */
  checkConnections?(check: ConnectionCheck): void

  /**
   * Closes the database handles behind it, after the transactions in flight have ended. Closing twice is
   * one close; later calls are refused with `CLOSED`. On a transaction's executor it does nothing.
   */
  close(): Promise<void>
}
