import { existsSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import { sqliteExecutor } from '@shard/core/sqlite'
import { schema as directorySchema, sqliteDirectory } from '@shard/directory/sqlite'
import { sqliteRegistry } from '@shard/registry/sqlite'
import Database from 'better-sqlite3'
import { prepareDirectory } from '../data-directory.ts'
import { lockDirectory } from '../process-lock.ts'
import { Refusal } from '../refusal.ts'
import { ansiShardSchema } from '../shard-schema.ts'
import type { Engine } from './engine.ts'

/** SQLite files. The lock is on the directory of the global one. */
export const sqlite: Engine = {
  async open({ address }, { create }) {
    if (create) prepareDirectory(dirname(address))
    try {
      return sqliteExecutor(new Database(address, { fileMustExist: !create }))
    } catch (error) {
      throw new Refusal(`The database ${address} cannot be opened: ${(error as Error).message}.`, 1)
    }
  },
  async lock({ address }) {
    prepareDirectory(dirname(address))
    // By any other name, such as a link's, it is the same database.
    const file = existsSync(address) ? realpathSync(address) : address
    return lockDirectory(dirname(file))
  },
  connections: 0,
  shardBytes: 1_500_000n,
  shardSchema: ansiShardSchema,
  directorySchema,
  directory: sqliteDirectory,
  registry: sqliteRegistry,
}
