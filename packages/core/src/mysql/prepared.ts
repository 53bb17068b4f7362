import type { MysqlConnection, PrepareOptions } from './driver.ts'

/** How many statements a connection keeps prepared; the least recently used goes first. */
const MAX_PREPARED = 256

/** The wire type of a 64-bit integer. */
const BIGINT_HINT = { columnType: 8, flags: 0 }

/** The statements that a connection has prepared, oldest first. */
const kept = new WeakMap<MysqlConnection, Set<string>>()

/**
 * Prepares a statement on a connection, once. Its whole-number parameters are then sent as 64-bit integers:
 * by itself the driver sends a bigint as text, and with text the server computes in floating point.
 */
export async function prepareOn(connection: MysqlConnection, options: PrepareOptions): Promise<void> {
  const statements = kept.get(connection) ?? new Set()
  kept.set(connection, statements)
  if (!statements.delete(options.sql)) {
    await prepare(connection, options)
    const limit = Math.min(MAX_PREPARED, connection.config.maxPreparedStatements ?? MAX_PREPARED)
    for (const oldest of statements) {
      if (statements.size < limit) break
      statements.delete(oldest)
      connection.unprepare({ ...options, sql: oldest })
    }
  }
  statements.add(options.sql)
}

function prepare(connection: MysqlConnection, options: PrepareOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    connection.prepare(options, (error, statement) => {
      if (error) return reject(error)
      statement.parameters = statement.parameters.map(() => BIGINT_HINT)
      resolve()
    })
  })
}
