/** The part that Kysely's SqliteDialect uses of a database, whatever else it has. */
interface Preparing<Statement> {
  prepare(sql: string): Statement
  close(): void
}

/**
 * A database for Kysely's SqliteDialect whose transactions begin immediate. By itself the dialect begins
 * deferred: a transaction that reads first and writes later is then refused for good when another connection
 * has written in between.
 */
export function immediateTransactions<Statement>(database: Preparing<Statement>): Preparing<Statement> {
  return {
    prepare: (sql) => database.prepare(sql === 'begin' ? 'begin immediate' : sql),
    close: () => void database.close(),
  }
}
