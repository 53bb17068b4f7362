import type { CallOptions, Executor, Id } from '@shard/core'
import { emailKey } from '@shard/directory'
import { dialectOf, queryBuilder, run } from '@shard/sql'
import { oneLine } from './one-line.ts'
import { Refusal } from './refusal.ts'
import type { AccountRow, ShardTables } from './schema.ts'
import { readShard } from './shard-query.ts'

/** The account of an id, from its shard, or null. */
export async function accountOf(executor: Executor, id: Id): Promise<AccountRow | null> {
  const rows = await readShard(executor, { key: id }, (db) =>
    db.selectFrom('accounts').selectAll().where('id', '=', id),
  )
  return rows[0] ?? null
}

/**
 * Inserts those of some accounts that are not there, the first of each id; `tx` is a transaction on
 * their shard. An id on file under another address is never taken over: that would make one account of
 * two people.
 */
export async function insertAccounts(
  tx: Executor,
  accounts: readonly AccountRow[],
  call: CallOptions = {},
): Promise<void> {
  const db = queryBuilder<ShardTables>(dialectOf(tx))
  const absent = new Map<Id, AccountRow>()
  for (const account of accounts) if (!absent.has(account.id)) absent.set(account.id, account)
  const query = db
    .selectFrom('accounts')
    .select(['id', 'email'])
    .where('id', 'in', [...absent.keys()])
  for (const { id, email } of (await run(tx, query, call)).rows) {
    const claimed = absent.get(id)?.email ?? email
    if (emailKey(claimed) !== emailKey(email)) throw new Refusal(repeated(id, email, claimed), 1)
    absent.delete(id)
  }
  if (absent.size > 0) await run(tx, db.insertInto('accounts').values([...absent.values()]), call)
}

function repeated(id: Id, email: string, claimed: string): string {
  return `Account ${id} belongs to ${oneLine(email, 60)}, but the directory gives it to ${oneLine(claimed, 60)} too: was the clock set back?`
}
