import { type CallOptions, type Executor, FencedError } from '@shard/core'
import { needMeta } from './meta-table.ts'
import type { Fencing } from './shard-fence.ts'

/**
 * Makes sure, with a locking read, that a grant is in force until the end of the transaction.
 * @throws FencedError if it is not
 * @throws WrongDatabaseError if the database has no identity
 */
export async function checkFence(tx: Executor, grant: Fencing, options: CallOptions = {}): Promise<void> {
  const { token, nonce, owned } = await needMeta(tx, { ...options, lock: true })
  if (owned !== 1 || token !== grant.token || nonce !== grant.nonce)
    throw new FencedError("a grant of this shard's database", grant.token, token)
}
