import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { immediateTransactions, kyselyExecutor, pgliteColumns, sqliteColumns } from '@shard/kysely'
import { Kysely, MysqlDialect, SqliteDialect } from 'kysely'
import * as next from 'kysely-0-29'
import Libsql from 'libsql'
import { createPool, type TypeCastField } from 'mysql2'
import type { ExecutorHost } from '../src/executor.suite.ts'
import type { Database } from './databases.ts'
import { freshDatabase } from './fresh-database.ts'

/** libSQL on a file of its own, by Kysely 0.28's SqliteDialect or 0.29's. */
export async function libsqlHost(kysely: '0.28' | '0.29'): Promise<ExecutorHost> {
  const folder = await mkdtemp(join(tmpdir(), 'shard-test-'))
  const database = new Libsql(join(folder, 'fresh.db'))
  database.defaultSafeIntegers(true)
  const config = { database: immediateTransactions(database) as never }
  const db =
    kysely === '0.28'
      ? new Kysely<object>({ dialect: new SqliteDialect(config) })
      : new next.Kysely<object>({ dialect: new next.SqliteDialect(config) })
  const executor = kyselyExecutor(db as Kysely<object>, 'sqlite', { columns: sqliteColumns(database) })
  const close = async (): Promise<void> => {
    await executor.close()
    await rm(folder, { recursive: true })
  }
  return { executor, close }
}

/** One PGlite for a whole file of tests, since it takes seconds to start. */
export class SharedPglite {
  #pglite: PGlite | null = null

  /** An executor on an empty database, by the dialect that Kysely brings from 0.29 on. */
  async host(): Promise<ExecutorHost> {
    this.#pglite ??= new PGlite()
    const pglite = this.#pglite
    await pglite.exec('close all; drop schema public cascade; create schema public')
    const staying = {
      query: pglite.query.bind(pglite),
      transaction: pglite.transaction.bind(pglite),
      close: async (): Promise<void> => {},
      closed: false,
      ready: true,
      waitReady: pglite.waitReady,
    }
    const db = new next.Kysely<object>({ dialect: new next.PGliteDialect({ pglite: staying as never }) })
    const columns = pgliteColumns(pglite)
    const executor = kyselyExecutor(db as unknown as Kysely<object>, 'postgres', { columns })
    return { executor, close: () => executor.close() }
  }

  async close(): Promise<void> {
    await this.#pglite?.close()
  }
}

/** MariaDB by mysql2 and Kysely, with the driver set to give integers as they are promised. */
export async function mysqlHost(engine: Database): Promise<ExecutorHost> {
  const database = await freshDatabase(engine)
  const pool = createPool({ uri: database.url, connectionLimit: 4, typeCast: integersByColumn })
  const db = new Kysely<object>({ dialect: new MysqlDialect({ pool }) })
  const executor = kyselyExecutor(db, 'mysql')
  const close = async (): Promise<void> => {
    await executor.close()
    await database.drop()
  }
  return { executor, close }
}

/** BIGINT, and what is computed as a narrower integer, as a bigint. */
function integersByColumn(field: TypeCastField, next: () => unknown): unknown {
  const isNarrow = ['TINY', 'SHORT', 'INT24', 'LONG'].includes(field.type)
  if (field.type !== 'LONGLONG' && !(isNarrow && field.table === '')) return next()
  const text = field.string()
  return text === null ? null : BigInt(text)
}
