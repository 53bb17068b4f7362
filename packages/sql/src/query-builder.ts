import type { CallOptions, Executor, Result } from '@shard/core'
import { type Compilable, DummyDriver, Kysely, SqliteIntrospector } from 'kysely'
import type { SqlDialect } from './dialect.ts'

/** A Kysely that only compiles: it has no connection and runs nothing. */
export function queryBuilder<DB>(dialect: SqlDialect): Kysely<DB> {
  return new Kysely<DB>({
    dialect: {
      createAdapter: () => dialect.createAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => dialect.createQueryCompiler(),
    },
  })
}

/** Compiles a query and runs it on an executor. */
export function run<Row>(
  executor: Pick<Executor, 'execute'>,
  query: Compilable<Row>,
  options?: CallOptions,
): Promise<Result<Row>> {
  return executor.execute<Row>(query.compile(), options)
}
