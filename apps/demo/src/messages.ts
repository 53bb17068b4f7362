import { type Executor, fanOut, type Id } from '@shard/core'
import { dialectOf, queryBuilder, run } from '@shard/sql'
import type { AccountRow, MessageRow, ShardTables } from './schema.ts'

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
): Promise<number> {
  const db = queryBuilder<ShardTables>(dialectOf(tx))
  const keys = messages.map((message) => message.row_key)
  const query = db.selectFrom('messages').select('row_key')
  const known = new Set((await run(tx, query.where('row_key', 'in', keys))).rows.map((row) => row.row_key))
  const rows: MessageRow[] = []
  for (const message of messages) {
    if (!known.has(message.row_key)) rows.push({ id: await mint(), ...message })
  }
  if (rows.length > 0) await run(tx, db.insertInto('messages').values(rows))
  return rows.length
}

/** The newest messages of one account: one query on its shard. */
export async function messagesOf(
  executor: Executor,
  accountId: Id,
  limit: number,
): Promise<readonly MessageRow[]> {
  const query = queryBuilder<ShardTables>(dialectOf(executor))
    .selectFrom('messages')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .limit(limit)
  return (await run(executor, query, { route: { key: accountId } })).rows
}

/** A message and who wrote it. */
export type SignedMessage = Pick<MessageRow, 'id' | 'body' | 'sent_at_ms'> &
  Pick<AccountRow, 'name' | 'email'>

/** The newest messages of all shards. */
export async function newestMessages(executor: Executor, limit: number): Promise<readonly SignedMessage[]> {
  const query = queryBuilder<ShardTables>(dialectOf(executor))
    .selectFrom('messages')
    .innerJoin('accounts', 'accounts.id', 'messages.account_id')
    .select(['messages.id', 'messages.body', 'messages.sent_at_ms', 'accounts.name', 'accounts.email'])
  const { rows } = await fanOut<SignedMessage>(executor, query.compile(), {
    orderBy: [
      { column: 'sent_at_ms', direction: 'desc' },
      { column: 'id', direction: 'desc' },
    ],
    limit,
  })
  return rows
}
