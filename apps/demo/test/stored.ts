import { join } from 'node:path'
import type { Addresses } from './fresh-fleet.ts'
import { runSql } from './raw-sql.ts'

/** All that a fleet holds, read without the app's code; ids as decimal text. */
export interface Stored {
  readonly accounts: readonly { shard: number; id: string; email: string; name: string }[]
  readonly messages: readonly { shard: number; id: string; accountId: string; rowKey: string; body: string }[]
  readonly directory: readonly { key: string; id: string; state: string }[]
  /** By shard. */
  readonly statuses: readonly string[]
}

/** The files of a data directory. */
export function filesOf(directory: string): Addresses {
  const file = (name: string): string => join(directory, `${name}.db`)
  return { global: file('global'), shards: [0, 1, 2].map((shard) => file(`accounts_shard_000${shard}`)) }
}

/** Reads a fleet that no process uses; given by its addresses, or its data directory. */
export async function storedIn(fleet: Addresses | string): Promise<Stored> {
  const { global, shards } = typeof fleet === 'string' ? filesOf(fleet) : fleet
  const onShards = async <Row>(sql: string): Promise<(Row & { shard: number })[]> => {
    const lists = await Promise.all(
      (shards ?? [global]).map(async (address, shard) =>
        (await runSql(address, sql)).map((row) => ({ ...row, shard }) as Row & { shard: number }),
      ),
    )
    return lists.flat()
  }
  const directory = await runSql(global, 'select natural_key, id, state from shard_directory order by id')
  const statuses = await runSql(global, 'select status from shards order by id')
  const messages = await onShards<{ id: string; account_id: string; row_key: string; body: string }>(
    'select id, account_id, row_key, body from messages order by id',
  )
  return {
    accounts: await onShards('select id, email, name from accounts order by id'),
    messages: messages.map(({ account_id: accountId, row_key: rowKey, ...rest }) => ({
      accountId,
      rowKey,
      ...rest,
    })),
    directory: directory.map(({ natural_key: key = '', id = '', state = '' }) => ({ key, id, state })),
    statuses: statuses.map(({ status = '' }) => status),
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
