import type { Executor, Statement } from '@shard/core'
import { dialectOf, queryBuilder, run } from '@shard/sql'
import type { RawBuilder } from 'kysely'
import { checkDatabaseName, type ShardDatabases } from './shard-databases.ts'

/** A server on which databases are made. */
export interface ServerOptions {
  /** On any database of the server, as a user who may create and drop databases. */
  readonly admin: Executor
  /** Opens a database of the server by its name. */
  readonly open: (name: string) => Executor | Promise<Executor>
}

/** How an engine with a server spells what is done with whole databases. */
export interface ServerSpelling {
  create(name: string): RawBuilder<unknown>
  drop(name: string): RawBuilder<unknown>
  /** One row if there is such a database. */
  find(name: string): RawBuilder<unknown>
  /** One row, `tables`: how many there are in the database it runs on, those of an identity left out. */
  readonly countTables: Statement
}

/** Databases on a server. */
export function serverDatabases({ admin, open }: ServerOptions, spelling: ServerSpelling): ShardDatabases {
  const db = queryBuilder<unknown>(dialectOf(admin))
  const ask = (query: RawBuilder<unknown>, signal: AbortSignal | undefined) =>
    run(admin, { compile: () => query.compile(db) }, { signal })
  const exists: ShardDatabases['exists'] = async (name, call) =>
    (await ask(spelling.find(checkDatabaseName(name)), call?.signal)).rows.length > 0
  return {
    exists,
    async create(name, call) {
      if (await exists(name, call)) return
      try {
        await ask(spelling.create(name), call?.signal)
      } catch (error) {
        // A rival may have been faster, or the reply was lost.
        if (!(await exists(name, call).catch(() => false))) throw error
      }
    },
    open: async (name) => open(checkDatabaseName(name)),
    async isBlank(executor, call) {
      const { rows } = await executor.execute<{ tables: bigint }>(spelling.countTables, {
        signal: call?.signal,
      })
      return rows[0]?.tables === 0n
    },
    async drop(name, call) {
      await ask(spelling.drop(checkDatabaseName(name)), call?.signal)
    },
  }
}
