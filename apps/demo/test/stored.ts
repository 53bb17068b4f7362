import { join } from 'node:path'
import Database from 'better-sqlite3'

/** All that a data directory holds, read from its files without the app's code; ids as decimal text. */
export interface Stored {
  readonly accounts: readonly { shard: number; id: string; email: string; name: string }[]
  readonly messages: readonly { shard: number; id: string; accountId: string; rowKey: string; body: string }[]
  readonly directory: readonly { key: string; id: string; state: string }[]
  /** By shard. */
  readonly statuses: readonly string[]
}

/** Reads a data directory that no process uses. */
export function storedIn(directory: string): Stored {
  const read = <Row>(file: string, sql: string): Row[] => {
    const database = new Database(join(directory, file), { readonly: true })
    try {
      return database.prepare(sql).all() as Row[]
    } finally {
      database.close()
    }
  }
  const onShards = <Row extends object>(sql: string): (Row & { shard: number })[] =>
    [0, 1, 2].flatMap((shard) =>
      read<Row>(`accounts_shard_000${shard}.db`, sql).map((row) => ({ shard, ...row })),
    )
  return {
    accounts: onShards('select cast(id as text) as id, email, name from accounts order by id'),
    messages: onShards(
      `select cast(id as text) as id, cast(account_id as text) as accountId, row_key as rowKey, body
       from messages order by messages.id`,
    ),
    directory: read(
      'global.db',
      'select natural_key as key, cast(id as text) as id, state from shard_directory order by natural_key',
    ),
    statuses: read<{ status: string }>('global.db', 'select status from shards order by id').map(
      ({ status }) => status,
    ),
  }
}

/** A row as it was written into a file. */
export interface SourceRow {
  readonly email: string
  readonly name: string
  readonly message: string
}

/** What is wrong with what is stored, measured by the rows that were to be imported; empty if nothing is. */
export function faultsOf(
  { accounts, messages, directory, statuses }: Stored,
  rows: readonly SourceRow[],
): string[] {
  const nameByKey = new Map<string, string>()
  for (const { email, name } of rows) {
    const key = email.toLowerCase()
    nameByKey.set(key, nameByKey.get(key) ?? name)
  }
  const accountById = new Map(accounts.map((account) => [account.id, account]))
  const ids = [...accounts, ...messages].map(({ id }) => id)
  const texts = (list: readonly (readonly string[])[]): string => JSON.stringify(list.map(String).sort())
  const written = rows.map(({ email, message }) => [email.toLowerCase(), message])
  const found = messages.map(({ accountId, body }) => [
    accountById.get(accountId)?.email.toLowerCase() ?? '?',
    body,
  ])
  const checks: [fault: string, holds: boolean][] = [
    ['an id twice', new Set(ids).size === ids.length],
    ['a row key twice', new Set(messages.map(({ rowKey }) => rowKey)).size === messages.length],
    ['messages lost, doubled or changed', texts(found) === texts(written)],
    [
      'accounts lost, doubled or changed',
      texts(accounts.map(({ email, name }) => [email.toLowerCase(), name])) === texts([...nameByKey]),
    ],
    [
      'directory and accounts differ',
      texts(directory.map(({ key, id }) => [key, id])) ===
        texts(accounts.map(({ email, id }) => [email.toLowerCase(), id])),
    ],
    ['an entry is not confirmed', directory.every(({ state }) => state === 'confirmed')],
    [
      'an id on another shard',
      [...accounts, ...messages].every(({ id, shard }) => BigInt(id) >> 52n === BigInt(shard)),
    ],
    [
      'a message away from its account',
      messages.every((message) => accountById.get(message.accountId)?.shard === message.shard),
    ],
    ['not exactly one active shard', statuses.filter((status) => status === 'active').length === 1],
  ]
  return checks.flatMap(([fault, holds]) => (holds ? [] : [fault]))
}
