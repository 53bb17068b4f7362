import {
  type CompiledQuery,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'

/** How a fake driver answers a statement: with a result, or with an error that it throws. */
export type Answer = (sql: string, parameters: readonly unknown[]) => Partial<QueryResult<unknown>>

/** A Kysely over a driver in memory that writes down what it is asked. */
export interface FakeKysely {
  readonly db: Kysely<object>
  readonly log: string[]
  /** Connections that are taken and not given back. */
  taken(): number
}

/** Answers each statement, `begin`, `commit` and `rollback` too, with `answer`. */
export function fakeKysely(answer: Answer = () => ({})): FakeKysely {
  const log: string[] = []
  let taken = 0
  const ask = async (sql: string, parameters: readonly unknown[] = []) => {
    log.push(sql)
    return { rows: [], ...answer(sql, parameters) } as QueryResult<never>
  }
  const connection = {
    executeQuery: ({ sql, parameters }: CompiledQuery) => ask(sql, parameters),
    async *streamQuery({ sql, parameters }: CompiledQuery) {
      for (const row of (await ask(sql, parameters)).rows) yield { rows: [row] }
    },
  }
  const db = new Kysely<object>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (inner) => new PostgresIntrospector(inner),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createDriver: () => ({
        init: async () => {},
        destroy: async () => void log.push('destroy'),
        acquireConnection: async () => {
          taken++
          return connection
        },
        releaseConnection: async () => void taken--,
        beginTransaction: async () => void (await ask('begin')),
        commitTransaction: async () => void (await ask('commit')),
        rollbackTransaction: async () => void (await ask('rollback')),
      }),
    },
  })
  return { db, log, taken: () => taken }
}

/** An error with a code, as drivers throw it. */
export function coded(code: string): Error {
  return Object.assign(new Error(`refused: ${code}`), { code })
}
