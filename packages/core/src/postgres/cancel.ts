import { atMost } from '../at-most.ts'
import type { PostgresQuery, QueryInside } from './client.ts'

/** The wait before a cancel request is sent again; it doubles. */
const FIRST_WAIT_MS = 50

/** After this long a statement that does not heed is left to itself. */
const MAX_WAIT_MS = 1_000

/**
 * Asks the server to stop a statement, until it has ended: the server ignores a request that comes before the
 * statement does. Never rejects. Resolves when no request is under way and the statement has ended.
 */
export async function cancel(query: PostgresQuery, answer: Promise<unknown>): Promise<void> {
  let ended = false
  const end = Promise.allSettled([answer]).then(() => {
    ended = true
  })
  for (let wait = FIRST_WAIT_MS; !ended && wait <= MAX_WAIT_MS; wait *= 2) {
    await request(query)
    await atMost(wait, end)
  }
  await end
}

/** Resolves when the server has taken the request, or could not be asked. */
function request(query: PostgresQuery): Promise<void> {
  const inside = query as unknown as QueryInside
  return inside.canceller(inside).catch(() => {})
}
