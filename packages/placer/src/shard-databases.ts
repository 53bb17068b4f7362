import { type Executor, InvalidArgumentError } from '@shard/core'

/** What every call on databases takes. */
export interface DatabasesCall {
  readonly signal?: AbortSignal | undefined
}

/** Where the databases of shards are made: a folder of files, or a server. Every name is checked by `checkDatabaseName`. */
export interface ShardDatabases {
  exists(name: string, call?: DatabasesCall): Promise<boolean>

  /** Makes an empty database. If there is one of this name it is left as it is, and so it is for the loser of a race. */
  create(name: string, call?: DatabasesCall): Promise<void>

  /** Opens a database; whoever asked closes it. */
  open(name: string): Promise<Executor>

  /** Is nothing in the opened database, but perhaps the tables of an identity? */
  isBlank(executor: Executor, call?: DatabasesCall): Promise<boolean>

  /** Drops the database, if it is there, whoever is connected to it. Half-way dropped it still exists. */
  drop(name: string, call?: DatabasesCall): Promise<void>
}

/**
 * Returns the name of a database if every engine, and every file system, takes it as it is: `[a-z][a-z0-9_]*`, at most
 * 63 characters (https://www.postgresql.org/docs/current/limits.html). Names that `shardDatabaseName` makes are such.
 * @throws InvalidArgumentError
 */
export function checkDatabaseName(name: string): string {
  if (typeof name === 'string' && /^[a-z][a-z0-9_]{0,62}$/.test(name)) return name
  throw new InvalidArgumentError(
    `a database must match [a-z][a-z0-9_]* and have at most 63 characters, not ${JSON.stringify(name)}`,
  )
}
