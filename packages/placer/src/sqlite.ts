import { mkdir, open as openFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Executor, Statement } from '@shard/core'
import { checkSignal } from '@shard/core'
import { sqliteRegistry } from '@shard/registry/sqlite'
import { Placer } from './placer.ts'
import type { PlacerOptions } from './placer-options.ts'
import { checkDatabaseName, type ShardDatabases } from './shard-databases.ts'

/** A placer over the registry of its family in a SQLite global database. */
export function sqlitePlacer(executor: Executor, options: Omit<PlacerOptions, 'registry'>): Placer {
  return new Placer({ ...options, registry: sqliteRegistry(executor, { family: options.settings.family }) })
}

/** A folder in which databases are made. */
export interface FolderOptions {
  /** Made if it is not there. */
  readonly folder: string
  /** Opens a file that is there. */
  readonly open: (file: string) => Executor | Promise<Executor>
}

const countTables: Statement = {
  sql: `select count(*) as tables from sqlite_schema
where name not like 'sqlite%' and tbl_name not in ('shard_schema', 'shard_meta')`,
  parameters: [],
}

/** Beside a database's file there may be these; the file itself goes last: until then the database is there. */
const files = ['-wal', '-shm', '-journal', '']

/** Shards as SQLite files of one folder: `users_shard_0001.db`. */
export function sqliteDatabases({ folder, open }: FolderOptions): ShardDatabases {
  const fileOf = (name: string): string => join(folder, `${checkDatabaseName(name)}.db`)
  return {
    async exists(name, call) {
      checkSignal(call?.signal)
      return isThere(fileOf(name))
    },
    async create(name, call) {
      checkSignal(call?.signal)
      const file = fileOf(name)
      await mkdir(folder, { recursive: true })
      // An empty file is an empty database: https://www.sqlite.org/fileformat2.html#the_database_header
      const handle = await openFile(file, 'a')
      await handle.close()
    },
    open: async (name) => open(fileOf(name)),
    async isBlank(executor, call) {
      const { rows } = await executor.execute<{ tables: bigint }>(countTables, { signal: call?.signal })
      return rows[0]?.tables === 0n
    },
    async drop(name, call) {
      checkSignal(call?.signal)
      for (const suffix of files) await rm(`${fileOf(name)}${suffix}`, { force: true })
    },
  }
}

async function isThere(file: string): Promise<boolean> {
  try {
    await stat(file)
    return true
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return false
    throw error
  }
}
