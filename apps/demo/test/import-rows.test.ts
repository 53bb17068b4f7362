import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { accountOf } from '../src/accounts.ts'
import type { Fleet } from '../src/fleet.ts'
import { type ImportCounts, importRows } from '../src/import-rows.ts'
import { messagesOf, newestMessages } from '../src/messages.ts'
import { openFleet } from '../src/open-fleet.ts'
import { progressOn } from '../src/progress.ts'
import { openCsv } from '../src/read-rows.ts'
import { logIn, signUp } from '../src/sign-up.ts'
import { filesIn } from '../src/target.ts'
import { temporaryDirectory } from './run-demo.ts'
import { csvOf, sampleRows } from './sample-rows.ts'
import { faultsOf, type SourceRow, storedIn } from './stored.ts'

async function open(dataDirectory: string): Promise<Fleet> {
  const fleet = await openFleet({ ...filesIn(dataDirectory), shardBytes: null })
  onTestFinished(() => fleet.close())
  return fleet
}

async function importInto(
  fleet: Fleet,
  rows: readonly SourceRow[],
  batchRows: number,
): Promise<ImportCounts> {
  const path = join(temporaryDirectory(), 'people.csv')
  writeFileSync(path, csvOf(rows))
  const progress = progressOn({ write: () => {} })
  return importRows(fleet, await openCsv(path), { batchRows, progress })
}

describe('an import', () => {
  test('stores the same in batches of any size, and nothing twice', async () => {
    const data = temporaryDirectory()
    const fleet = await open(data)
    const rows = sampleRows(120, 40)
    expect(await importInto(fleet, rows, 7)).toMatchObject({ rows: 120, newAccounts: 40, newMessages: 120 })
    expect(await importInto(fleet, rows, 50)).toMatchObject({ rows: 120, newAccounts: 0, newMessages: 0 })
    await fleet.close()
    expect(faultsOf(await storedIn(data), rows)).toEqual([])
  })

  test('of a longer file stores what it has more', async () => {
    const fleet = await open(temporaryDirectory())
    const rows = sampleRows(100, 30)
    await importInto(fleet, rows.slice(0, 60), 500)
    expect(await importInto(fleet, rows, 500)).toMatchObject({ rows: 100, newMessages: 40 })
  })

  test('completes a sign-up that ended between the directory and the account', async () => {
    const fleet = await open(temporaryDirectory())
    const { ids } = await signUp(fleet, ['PERSON.3@example.org'])
    const id = ids.get('person.3@example.org') as bigint
    expect(await accountOf(fleet.executor, id)).toBeNull()
    await importInto(fleet, sampleRows(10, 10), 500)
    expect(await logIn(fleet, 'person.3@example.org')).toMatchObject({ id, name: 'Person 3' })
  })

  test('takes the id on file when another has claimed the address meanwhile', async () => {
    const fleet = await open(temporaryDirectory())
    const directory = fleet.directory(fleet.executor)
    const rival = (await fleet.placer.place()).id
    // The rival's claim lands after the look and before our own claim.
    const { placer: real } = fleet
    const placer = Object.create(real, {
      place: {
        value: async () => {
          await directory.claim('ann@example.org', rival)
          return real.place()
        },
      },
    })
    const { ids } = await signUp({ ...fleet, placer }, ['ann@example.org'])
    expect([...ids]).toEqual([['ann@example.org', rival]])
  })

  test('refuses to give the account of one person to another', async () => {
    const fleet = await open(temporaryDirectory())
    await importInto(fleet, sampleRows(1, 1), 500)
    const id = (await logIn(fleet, 'person.0@example.org'))?.id ?? 0n
    await fleet.directory(fleet.executor).claim('eve@example.org', id)
    const eve = [{ email: 'eve@example.org', name: 'Eve', message: 'hello' }]
    await expect(importInto(fleet, eve, 500)).rejects.toMatchObject({ name: 'Refusal' })
    expect(await messagesOf(fleet.executor, id, 10)).toHaveLength(1)
  })
})

test('an account reads its own messages, newest first; the newest of all shards are merged', async () => {
  const fleet = await open(temporaryDirectory())
  await importInto(fleet, sampleRows(40, 4), 5)
  const account = await logIn(fleet, 'Person.2@EXAMPLE.org')
  const mine = await messagesOf(fleet.executor, account?.id ?? 0n, 3)
  expect(mine).toHaveLength(3)
  expect(mine.every(({ account_id }) => account_id === account?.id)).toBe(true)
  expect(mine.map(({ id }) => id)).toEqual(mine.map(({ id }) => id).sort((a, b) => (a < b ? 1 : -1)))
  const shards = fleet.executor.shardIds()
  const first = await newestMessages(fleet.executor, { shards, limit: 25 })
  const second = await newestMessages(fleet.executor, { shards, limit: 25, after: first.cursor })
  const newest = [...first.rows, ...second.rows]
  expect(second.cursor).toBeNull()
  expect(new Set(newest.map(({ id }) => id)).size).toBe(40)
  const times = newest.map(({ sent_at_ms }) => sent_at_ms)
  expect(times).toEqual([...times].sort((a, b) => Number(b - a)))
  expect(await logIn(fleet, 'nobody@example.org')).toBeNull()
})
