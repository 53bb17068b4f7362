import type { MysqlConnection, PreparedInside } from './driver.ts'

/** How many statements a connection keeps prepared; the least recently used goes first. */
const MAX_PREPARED = 256

/** The wire type of a 64-bit integer. */
const BIGINT_HINT = { columnType: 8, flags: 0 }

/** The statements that a connection has prepared, oldest first. */
const kept = new WeakMap<MysqlConnection, Set<string>>()

/**
 * Prepares a statement on a connection, once; null if it is. Its whole-number parameters are then sent as 64-bit
 * integers: by itself the driver sends a bigint as text, and with text the server computes in floating point.
 */
export function prepareOn(connection: MysqlConnection, sql: string): Promise<void> | null {
  const statements = kept.get(connection) ?? new Set()
  if (!statements.delete(sql)) return prepare(connection, sql, statements)
  statements.add(sql)
  return null
}

async function prepare(connection: MysqlConnection, sql: string, statements: Set<string>): Promise<void> {
  const statement = await new Promise<PreparedInside>((resolve, reject) => {
    connection.prepare(sql, (error, prepared) => (error ? reject(error) : resolve(prepared)))
  })
  kept.set(connection, statements)
  statement.parameters = statement.parameters.map(() => BIGINT_HINT)
  const limit = Math.min(MAX_PREPARED, connection.config.maxPreparedStatements ?? MAX_PREPARED)
  for (const oldest of statements) {
    if (statements.size < limit) break
    statements.delete(oldest)
    connection.unprepare(oldest)
  }
  statements.add(sql)
}
