import { kyselyExecutor } from '@shard/kysely'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { Miniflare } from 'miniflare'
import type { ExecutorHost } from '../src/executor.suite.ts'

type D1 = Awaited<ReturnType<Miniflare['getD1Database']>>

/** How many databases one Miniflare has; each test takes another. */
const DATABASES = 40

/** Cloudflare D1 as its own simulator has it. */
export class D1Databases {
  #miniflare: Miniflare | null = null
  #used = 0

  async host(): Promise<ExecutorHost> {
    this.#miniflare ??= new Miniflare({
      modules: true,
      script: 'export default { fetch: () => new Response() }',
      d1Databases: Array.from({ length: DATABASES }, (_, i) => `DB${i}`),
    })
    const database = await this.#miniflare.getD1Database(`DB${this.#used++}`)
    const db = new Kysely<object>({ dialect: d1Dialect(database) })
    const executor = kyselyExecutor(db, 'sqlite', { sessions: 'none', int64: false })
    return { executor, close: () => executor.close() }
  }

  async close(): Promise<void> {
    await this.#miniflare?.dispose()
  }
}

/** As small as a dialect can be: D1 has no sessions, so there is nothing to begin or to release. */
function d1Dialect(database: D1): Dialect {
  const connection: DatabaseConnection = {
    async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
      const { results, meta } = await database
        .prepare(sql)
        .bind(...parameters)
        .all<R>()
      return { rows: results, numAffectedRows: BigInt(meta.changes) }
    },
    // biome-ignore lint/correctness/useYield: it has none
    async *streamQuery() {
      throw new Error('D1 has no cursors')
    },
  }
  const nothing = async (): Promise<void> => {}
  const refuse = async (): Promise<void> => {
    throw new Error('D1 has no transactions')
  }
  return {
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createDriver: () => ({
      init: nothing,
      acquireConnection: async () => connection,
      releaseConnection: nothing,
      destroy: nothing,
      beginTransaction: refuse,
      commitTransaction: refuse,
      rollbackTransaction: refuse,
    }),
  }
}
