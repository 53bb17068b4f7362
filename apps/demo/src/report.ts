import { formatId, type Id, type ShardId } from '@shard/core'
import { fillRatio, liveShards } from '@shard/registry'
import { checkIds } from './check-ids.ts'
import type { Fleet } from './fleet.ts'
import type { ImportCounts } from './import-rows.ts'
import { leaveOut, reaching } from './leave-out.ts'
import { messagesOf, newestMessages, type SignedMessage } from './messages.ts'
import { oneLine } from './one-line.ts'
import type { ShardTables } from './schema.ts'
import { readShard } from './shard-query.ts'
import { logIn } from './sign-up.ts'
import { table } from './table.ts'

type Print = (text: string) => void

/** Prints what an import did and what the fleet holds now. */
export async function showResult(fleet: Fleet, counts: ImportCounts, print: Print): Promise<void> {
  const { rows, skipped, newAccounts, newMessages } = counts
  print(`\n${rows} rows: ${newAccounts} new accounts, ${newMessages} new messages; ${skipped} rows skipped`)
  // First, as it also finds out which shards can be reached.
  const shards = await shardTable(fleet)
  const latest = await showNewest(fleet, print)
  if (latest) await reaching(fleet, fleet.settings.shardOf(latest.id), () => showLogIn(fleet, latest, print))
  print(`\n${shards}\n`)
  print(`ids minted         ${newAccounts + newMessages} in this run`)
  const { ids, repeats } = await checkIds(fleet)
  print(`ids on record      ${ids}, ${repeats === 0 ? 'none' : repeats} twice`)
  print(`directory entries  ${await countEntries(fleet)}`)
  if (latest) print(`a sample id        ${decoded(fleet, latest.id)}`)
  showOutages(fleet, print)
}

/** Two pages of the newest messages; gives the newest. */
async function showNewest(fleet: Fleet, print: Print): Promise<SignedMessage | null> {
  const { executor, outages, reachable } = fleet
  const shards = liveShards(await reachable.list())
  if (shards.length === 0) return null
  const first = await newestMessages(executor, { shards, limit: 5 })
  await leaveOut(fleet, first.failures)
  const whose = outages.size > 0 ? 'the shards that answer' : 'all shards'
  print(`\nThe newest messages of ${whose}, by one fan-out`)
  for (const message of first.rows) print(`  ${signed(message)}`)
  if (first.cursor !== null) {
    const next = { shards: first.shards, limit: 3, after: first.cursor }
    const second = await newestMessages(executor, next)
    await leaveOut(fleet, second.failures)
    print('The next page, by its cursor')
    for (const message of second.rows) print(`  ${signed(message)}`)
  }
  return first.rows[0] ?? null
}

function showOutages({ outages, addressOf }: Fleet, print: Print): void {
  if (outages.size > 0) print('')
  for (const [shard, reason] of outages.reasons())
    print(`Shard ${shard} cannot be reached, and nothing of it is shown: ${addressOf(shard)}: ${reason}`)
}

async function showLogIn(fleet: Fleet, { email }: SignedMessage, print: Print): Promise<void> {
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

async function shardTable(fleet: Fleet): Promise<string> {
  const rows = [['shard', 'status', 'size', 'fill', 'accounts', 'messages']]
  for (const shard of await fleet.registry.list()) {
    const size = `${(Number(shard.sizeBytes) / 1e6).toFixed(2)} MB`
    const fill = `${Math.round(fillRatio(shard) * 100)}%`
    const accounts = await countRows(fleet, shard.id, 'accounts')
    const messages = await countRows(fleet, shard.id, 'messages')
    rows.push([String(shard.id), shard.status, size, fill, accounts, messages])
  }
  return table(rows)
}

async function countRows(fleet: Fleet, shard: ShardId, name: keyof ShardTables): Promise<string> {
  const read = () =>
    readShard(fleet.executor, { shard }, (db) =>
      db.selectFrom(name).select((eb) => eb.fn.countAll<bigint>().as('count')),
    )
  const rows = await reaching(fleet, shard, read)
  return rows === null ? '-' : String(rows[0]?.count)
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
