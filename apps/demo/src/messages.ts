import {
  type CallOptions,
  type Executor,
  type FanOutResult,
  fanOut,
  type Id,
  type ShardId,
} from '@shard/core'
import { dialectOf, queryBuilder, run } from '@shard/sql'
import type { AccountRow, MessageRow, ShardTables } from './schema.ts'
import { readShard, shardQuery } from './shard-query.ts'

/** A message that may be stored already; its id is made when it is not. */
export type NewMessage = Omit<MessageRow, 'id'>

/**
 * Inserts those of some messages whose keys are not there, each with an id from `mint`; `tx` is a
 * transaction on their shard. Returns how many were new.
 */
export async function insertMessages(
  tx: Executor,
  messages: readonly NewMessage[],
  mint: () => Promise<Id>,
  call: CallOptions = {},
): Promise<number> {
  const db = queryBuilder<ShardTables>(dialectOf(tx))
  const keys = messages.map((message) => message.row_key)
  const query = db.selectFrom('messages').select('row_key')
  const found = await run(tx, query.where('row_key', 'in', keys), call)
  const known = new Set(found.rows.map((row) => row.row_key))
  const rows: MessageRow[] = []
  for (const message of messages) {
    if (!known.has(message.row_key)) rows.push({ id: await mint(), ...message })
  }
  if (rows.length > 0) await run(tx, db.insertInto('messages').values(rows), call)
  return rows.length
}

/** The newest messages of one account: one query on its shard. */
export async function messagesOf(
  executor: Executor,
  accountId: Id,
  limit: number,
): Promise<readonly MessageRow[]> {
  return readShard(executor, { key: accountId }, (db) =>
    db
      .selectFrom('messages')
      .selectAll()
      .where('account_id', '=', accountId)
      .orderBy('id', 'desc')
      .limit(limit),
  )
}

/** A message and who wrote it. */
export type SignedMessage = Pick<MessageRow, 'id' | 'body' | 'sent_at_ms'> &
  Pick<AccountRow, 'name' | 'email'>

/** Which messages. */
export interface NewestOptions {
  readonly shards: readonly ShardId[]
  readonly limit: number
  /** The cursor of the page before. */
  readonly after?: string | null
}

/** How long one shard may take for its part of a page. */
const PAGE_TIMEOUT_MS = 5_000

const signedMessages = shardQuery<SignedMessage>((db) =>
  db
    .selectFrom('messages')
    .innerJoin('accounts', 'accounts.id', 'messages.account_id')
    .select(['messages.id', 'messages.body', 'messages.sent_at_ms', 'accounts.name', 'accounts.email']),
)

/**
 * A page of the newest messages of many shards; those that do not answer are in `failures`.
 * @throws IncompleteFanOutError if none answers
 */
export function newestMessages(
  executor: Executor,
  options: NewestOptions,
): Promise<FanOutResult<SignedMessage>> {
  return fanOut<SignedMessage>(executor, signedMessages, {
    ...options,
    orderBy: [
      { column: 'sent_at_ms', direction: 'desc', type: 'other' },
      { column: 'id', direction: 'desc', type: 'other' },
    ],
    onFailure: 'partial',
    timeoutMs: PAGE_TIMEOUT_MS,
  })
}
