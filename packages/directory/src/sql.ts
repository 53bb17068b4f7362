import type { Executor } from '@shard/core'
import type { RetryOptions } from '@shard/sql'
import type { Directory } from './directory.ts'
import { type DirectoryOptions, directoryOver } from './directory-over.ts'
import { claimFates } from './fates-sql.ts'
import { reading } from './reading-sql.ts'
import { writing } from './writing-sql.ts'

/** What a directory in a database is for, and how patient it is. */
export interface SqlDirectoryOptions extends DirectoryOptions {
  /**
   * True where the accounts, and with them the fates of their claims, are in the directory's own database: an
   * app with one database. False (unless given): they are on the shards that the executor routes to.
   */
  readonly accountsHere?: boolean | undefined
  /** How a change is made again that the engine refused for the sake of a rival. */
  readonly retry?: RetryOptions | undefined
}

/** A directory in the table `shard_directory`; the dialect files bind it. */
export function sqlDirectory(executor: Executor, options: SqlDirectoryOptions): Directory {
  const { accountsHere, retry } = options
  // An executor without a family ignores routes, and would keep all fates in its one database.
  const reachesShards = accountsHere || executor.family !== null
  const fates = reachesShards ? claimFates(executor, { accountsHere, retry }) : null
  return directoryOver(
    (namespace, isSingle) => {
      const where = { executor, namespace, retry, isSingle }
      return { ...reading(where), ...writing(where) }
    },
    options,
    fates,
  )
}
