import { type CallOptions, type ErrorCode, type Executor, isShardError, type ShardId } from '@shard/core'
import { emailKey } from '@shard/directory'
import { insertAccounts } from './accounts.ts'
import type { Fleet } from './fleet.ts'
import { reaching } from './leave-out.ts'
import { insertMessages, type NewMessage } from './messages.ts'
import type { PersonRow } from './person-row.ts'
import type { AccountRow } from './schema.ts'
import { signUp } from './sign-up.ts'

/** A good row under the key that it is stored by. */
export type KeyedRow = PersonRow & { readonly key: string }

/** How much of a batch was not there before, and how many rows could not be stored now. */
export interface Stored {
  readonly newAccounts: number
  readonly newMessages: number
  readonly waitingRows: number
}

interface ShardRows {
  readonly accounts: AccountRow[]
  readonly messages: NewMessage[]
}

/** How long a shard may take for its part of a batch. */
const SHARD_TIMEOUT_MS = 30_000

/**
 * Stores some rows: ids first, by claims that commit together, then one transaction a shard with the
 * accounts and the messages that are not there. Every step does only what is missing, so a batch that
 * ended anywhere is finished when it is stored again. Rows of a shard that cannot be reached wait for that.
 */
export async function storeBatch(fleet: Fleet, batch: readonly KeyedRow[]): Promise<Stored> {
  const { ids, newCount } = await signUp(
    fleet,
    batch.map(({ email }) => email),
  )
  const nowMs = BigInt(Date.now())
  const shards = new Map<ShardId, ShardRows>()
  let waitingRows = 0
  for (const { email, name, message, key } of batch) {
    const id = ids.get(emailKey(email))
    if (id === undefined) {
      waitingRows++
      continue
    }
    const { accounts, messages } = rowsOf(shards, fleet.settings.shardOf(id))
    accounts.push({ id, email, name, created_at_ms: nowMs })
    messages.push({ account_id: id, row_key: key, body: message, sent_at_ms: nowMs })
  }
  let newMessages = 0
  for (const [shard, rows] of shards) {
    const stored = await reaching(fleet, shard, () => again(() => storeRows(fleet, shard, rows)))
    if (stored === null) waitingRows += rows.messages.length
    else newMessages += stored
  }
  return { newAccounts: newCount, newMessages, waitingRows }
}

/** Stores a shard's part in one transaction; gives how many messages were new. */
function storeRows(fleet: Fleet, shard: ShardId, { accounts, messages }: ShardRows): Promise<number> {
  const { allocator, executor, settings } = fleet
  const call: CallOptions = { signal: AbortSignal.timeout(SHARD_TIMEOUT_MS) }
  const store = async (tx: Executor): Promise<number> => {
    await insertAccounts(tx, accounts, call)
    return insertMessages(tx, messages, () => allocator.wait(settings.codec, shard), call)
  }
  return executor.transaction(store, { ...call, route: { shard } })
}

/**
 * A connection that broke, or a rival: the server may still be busy with a transaction of a process that was
 * killed. Then what it stored is there when we look again.
 */
const passing: ReadonlySet<ErrorCode> = new Set([
  'CONNECTION_LOST',
  'DEADLOCK',
  'SERIALIZATION_FAILURE',
  'UNIQUE_VIOLATION',
])

async function again<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (attempt === 3 || !isShardError(error) || !passing.has(error.code)) throw error
    }
  }
}

function rowsOf(shards: Map<ShardId, ShardRows>, shard: ShardId): ShardRows {
  const rows = shards.get(shard) ?? { accounts: [], messages: [] }
  shards.set(shard, rows)
  return rows
}
