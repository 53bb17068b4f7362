import { ClaimPendingError, type Executor, type Id } from '@shard/core'
import type { Directory } from './directory.ts'

/** What the end of a key is given. */
export interface RemoveKeyOptions {
  readonly directory: Pick<Directory, 'lookup' | 'settle' | 'release'>
  /** The one that routes to the accounts. */
  readonly executor: Executor
  readonly key: string
  /**
   * Deletes the account, in the transaction that it is given, which is on the id's shard. It runs again when a
   * removal that died half-way is repeated, and must not mind that nothing is left to delete.
   */
  readonly remove: (tx: Executor, id: Id) => Promise<unknown>
  /** Told after each step, and waited for; for traces and tests. */
  readonly onStep?: ((step: 'found' | 'removed' | 'released') => unknown) | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * The way back from `signUp`: deletes the account of a key on its shard, then frees the key. True if this call freed
 * it; of racers one does. If it dies in between, the key leads to an account that is gone, until it is called again
 * or `sweep` frees the key; nobody else can have it before. A delayed call deletes and frees only what it found
 * at its start, never a newer account of the key. The other keys of the account are the caller's to remove first.
 * @throws ClaimPendingError (retryable) while somebody signs up with the key
 */
export async function removeKey(options: RemoveKeyOptions): Promise<boolean> {
  const { directory, executor, key, remove, onStep, signal } = options
  const entry = await directory.lookup(key, { signal })
  if (!entry) return false
  if (entry.state === 'pending') {
    const fate = await directory.settle(key, entry.version, { signal })
    // The whole of its time: how much is left is by the database's clock.
    if (fate === 'open') throw new ClaimPendingError((entry.expiresAtMs ?? 0) - entry.updatedAtMs)
    // An account that was never inserted need not be deleted.
    if (fate !== 'used') return false
  }
  await onStep?.('found')
  await executor.transaction((tx) => remove(tx, entry.id), { route: { key: entry.id }, signal })
  await onStep?.('removed')
  const isFreed = await directory.release(key, entry.id, entry.version, { signal })
  await onStep?.('released')
  return isFreed
}
