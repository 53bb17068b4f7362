import type { Executor, ShardId } from '@shard/core'
import { emailKey } from '@shard/directory'
import { insertAccounts } from './accounts.ts'
import type { Fleet } from './fleet.ts'
import { insertMessages, type NewMessage } from './messages.ts'
import type { PersonRow } from './person-row.ts'
import type { AccountRow } from './schema.ts'
import { signUp } from './sign-up.ts'

/** A good row under the key that it is stored by. */
export type KeyedRow = PersonRow & { readonly key: string }

/** How much of a batch was not there before. */
export interface Stored {
  readonly newAccounts: number
  readonly newMessages: number
}

interface ShardRows {
  readonly accounts: AccountRow[]
  readonly messages: NewMessage[]
}

/**
 * Stores some rows: ids first, by claims that commit together, then one transaction a shard with the
 * accounts and the messages that are not there. Every step does only what is missing, so a batch that
 * ended anywhere is finished when it is stored again.
 */
export async function storeBatch(fleet: Fleet, batch: readonly KeyedRow[]): Promise<Stored> {
  const { allocator, executor, settings } = fleet
  const emails = batch.map(({ email }) => email)
  const { ids, newCount } = await signUp(fleet, emails)
  const nowMs = BigInt(Date.now())
  const shards = new Map<ShardId, ShardRows>()
  for (const { email, name, message, key } of batch) {
    const id = ids.get(emailKey(email)) as bigint
    const { accounts, messages } = rowsOf(shards, settings.shardOf(id))
    accounts.push({ id, email, name, created_at_ms: nowMs })
    messages.push({ account_id: id, row_key: key, body: message, sent_at_ms: nowMs })
  }
  let newMessages = 0
  for (const [shard, { accounts, messages }] of shards) {
    const store = async (tx: Executor): Promise<number> => {
      await insertAccounts(tx, accounts)
      return insertMessages(tx, messages, () => allocator.wait(settings.codec, shard))
    }
    newMessages += await executor.transaction(store, { route: { shard } })
  }
  return { newAccounts: newCount, newMessages }
}

function rowsOf(shards: Map<ShardId, ShardRows>, shard: ShardId): ShardRows {
  const rows = shards.get(shard) ?? { accounts: [], messages: [] }
  shards.set(shard, rows)
  return rows
}
