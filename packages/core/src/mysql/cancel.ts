import { atMost } from '../at-most.ts'
import type { ConnectionConfig, MysqlConnection } from './driver.ts'

/** How long a server that stands still is waited for before the connection is cut. */
export const GRACE_MS = 5_000

/** The wait before a statement that goes on is killed again; it doubles. */
const FIRST_WAIT_MS = 50

/** How mysql2 makes a connection that belongs to no pool. */
type ConnectionClass = new (options: { config: ConnectionConfig }) => MysqlConnection

/**
 * Stops what a connection runs, by `KILL QUERY` on a second connection, and leaves the first one ready for
 * its next user: a kill that came too late is spent on a statement that does nothing. A connection that does not
 * answer is cut.
 */
export async function cancelOn(connection: MysqlConnection): Promise<void> {
  const OwnConnection = Object.getPrototypeOf(connection.constructor) as ConnectionClass
  const side = new OwnConnection({ config: connection.config })
  side.on('error', () => {})
  const answered = await atMost(GRACE_MS, killUntilIdle(side, connection))
  cut(side)
  if (!answered) cut(connection)
}

/** A kill that comes before the statement does is in vain, so there may be need of another. */
async function killUntilIdle(side: MysqlConnection, connection: MysqlConnection): Promise<void> {
  let isIdle = false
  for (let wait = FIRST_WAIT_MS; !isIdle && wait < GRACE_MS; wait *= 2) {
    await ask(side, `kill query ${Number(connection.threadId)}`)
    isIdle = await atMost(wait, ask(connection, 'do 0'))
  }
}

/** Closes a connection whose server does not answer; what was asked on it fails. */
export function cut(connection: MysqlConnection): void {
  // Destroyed in its own way, the driver would never answer what was asked.
  if (connection.stream) {
    connection.stream.destroy(Object.assign(new Error('the connection was cut'), { code: 'ECONNABORTED' }))
  } else {
    connection.destroy()
  }
}

/** Resolves with the answer, whatever it is. */
function ask(connection: MysqlConnection, sql: string): Promise<void> {
  return new Promise((resolve) => {
    connection.query(sql, () => resolve())
  })
}
