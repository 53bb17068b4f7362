import type { ConnectionConfig, MysqlConnection } from './driver.ts'

/** How long the server has to answer a cancel request before the connection is cut. */
const GRACE_MS = 1_000

/** How mysql2 makes a connection that belongs to no pool. */
type ConnectionClass = new (options: { config: ConnectionConfig }) => MysqlConnection

/**
 * Stops what a connection runs, by `KILL QUERY` on a second connection, and leaves the first one ready for
 * its next user: a kill that came too late is spent on a statement that does nothing. A connection that
 * does not answer is cut.
 */
export async function cancelOn(connection: MysqlConnection): Promise<void> {
  const timer = setTimeout(() => connection.destroy(), GRACE_MS)
  await killQuery(connection)
  await ask(connection, 'do 0')
  clearTimeout(timer)
}

async function killQuery(connection: MysqlConnection): Promise<void> {
  const OwnConnection = Object.getPrototypeOf(connection.constructor) as ConnectionClass
  const side = new OwnConnection({ config: connection.config })
  side.on('error', () => {})
  const timer = setTimeout(() => side.destroy(), GRACE_MS)
  await ask(side, `kill query ${Number(connection.threadId)}`)
  clearTimeout(timer)
  side.destroy()
}

/** Resolves with the answer, whatever it is. */
function ask(connection: MysqlConnection, sql: string): Promise<void> {
  return new Promise((resolve) => {
    connection.query({ ...READING, sql }, () => resolve())
  })
}

/** How every statement is read: integers as text first, so that none is rounded. */
export const READING = { rowsAsArray: false, supportBigNumbers: true, bigNumberStrings: true } as const
