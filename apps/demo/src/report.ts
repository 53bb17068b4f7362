import { type Executor, formatId, type Id, type ShardId } from '@shard/core'
import { fillRatio } from '@shard/registry'
import { dialectOf, queryBuilder, run } from '@shard/sql'
import type { Fleet } from './fleet.ts'
import type { ImportCounts } from './import-rows.ts'
import { messagesOf, newestMessages, type SignedMessage } from './messages.ts'
import { oneLine } from './one-line.ts'
import type { ShardTables } from './schema.ts'
import { logIn } from './sign-up.ts'
import { table } from './table.ts'

type Print = (text: string) => void

/** Prints what an import did and what the fleet holds now. */
export async function showResult(fleet: Fleet, counts: ImportCounts, print: Print): Promise<void> {
  const { rows, skipped, newAccounts, newMessages } = counts
  print(`\n${rows} rows: ${newAccounts} new accounts, ${newMessages} new messages; ${skipped} rows skipped`)
  const newest = await newestMessages(fleet.executor, 5)
  print('\nThe newest messages of all shards, by one fan-out')
  for (const message of newest) print(`  ${signed(message)}`)
  const [latest] = newest
  if (latest) await showLogIn(fleet, latest.email, print)
  print(`\n${await shardTable(fleet)}\n`)
  print(`ids minted         ${newAccounts + newMessages} in this run`)
  print(`directory entries  ${await countEntries(fleet)}`)
  if (latest) print(`a sample id        ${decoded(fleet, latest.id)}`)
}

async function showLogIn(fleet: Fleet, email: string, print: Print): Promise<void> {
  const account = await logIn(fleet, email.toUpperCase())
  if (account === null) return
  print(
    `\nA log-in as ${email.toUpperCase()} finds account ${formatId(account.id)}; its newest messages, from its shard`,
  )
  for (const { body } of await messagesOf(fleet.executor, account.id, 3)) print(`  ${oneLine(body, 70)}`)
}

function signed({ name, body }: SignedMessage): string {
  return `${oneLine(name, 30)}: ${oneLine(body, 60)}`
}

async function shardTable({ executor, registry }: Fleet): Promise<string> {
  const rows = [['shard', 'status', 'size', 'fill', 'accounts', 'messages']]
  for (const shard of await registry.list()) {
    const size = `${(Number(shard.sizeBytes) / 1e6).toFixed(2)} MB`
    const fill = `${Math.round(fillRatio(shard) * 100)}%`
    const accounts = await countRows(executor, shard.id, 'accounts')
    const messages = await countRows(executor, shard.id, 'messages')
    rows.push([String(shard.id), shard.status, size, fill, String(accounts), String(messages)])
  }
  return table(rows)
}

async function countRows(executor: Executor, shard: ShardId, name: keyof ShardTables): Promise<bigint> {
  const query = queryBuilder<ShardTables>(dialectOf(executor))
    .selectFrom(name)
    .select((eb) => eb.fn.countAll<bigint>().as('count'))
  return (await run(executor, query, { route: { shard } })).rows[0]?.count ?? 0n
}

async function countEntries({ directory, executor }: Fleet): Promise<number> {
  const entries = directory(executor)
  let count = 0
  let page = await entries.list({ limit: 10_000 })
  while (page.length > 0) {
    count += page.length
    page = await entries.list({ after: page.at(-1)?.key, limit: 10_000 })
  }
  return count
}

function decoded({ allocator }: Fleet, id: Id): string {
  const { shard, timeMs, counter } = allocator.parts(id)
  const minted = new Date(timeMs).toISOString()
  return `${formatId(id)} = shard ${shard}, ${minted}, number ${counter} of its millisecond`
}
