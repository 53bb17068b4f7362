import { type Executor, isShardError } from '@shard/core'
import type { ProcessLock } from './process-lock.ts'
import { Refusal } from './refusal.ts'

/**
 * Takes a database for this process alone, by a lock inside a transaction that stays open: the server frees it
 * when the connection ends, so also after `kill -9`. If the connection breaks while the process lives, another
 * may take it; `check` then rejects. `executor` is the lock's own, and is closed with it.
 * @throws Refusal if another process holds it
 */
export function lockDatabase(
  executor: Executor,
  statements: readonly string[],
  shown: string,
): Promise<ProcessLock> {
  return new Promise((resolve, reject) => {
    let free = (): void => {}
    const ended = new Promise<void>((end) => {
      free = end
    })
    const holding = executor.transaction(async (tx) => {
      await take(tx, statements, shown)
      resolve({
        async check() {
          await tx.execute({ sql: 'select 1 as one', parameters: [] })
        },
        async release() {
          free()
          await holding.catch(() => {})
          await executor.close()
        },
      })
      await ended
    })
    holding.catch(async (error) => {
      await executor.close().catch(() => {})
      reject(error)
    })
  })
}

async function take(tx: Executor, statements: readonly string[], shown: string): Promise<void> {
  let locked: unknown = 0
  try {
    for (const sql of statements) {
      locked = (await tx.execute<{ locked?: unknown }>({ sql, parameters: [] })).rows[0]?.locked
    }
  } catch (error) {
    if (!isShardError(error, 'BUSY')) throw error
  }
  if (Number(locked) !== 1) throw new Refusal(`Another process is at work on ${shown}. Wait for it.`, 1)
}
