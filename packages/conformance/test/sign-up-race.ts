import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Executor, isShardError } from '@shard/core'
import { type SignUpStep, signUp } from '@shard/directory'
import { type AccountFleet, accountsOf, insertAccount, onAccountFleet, placing } from './account-fleet.ts'
import { withChildren } from './children.ts'
import type { Database } from './databases.ts'
import { directoryOn } from './directory-hosts.ts'
import type { SignUps, Told } from './sign-up-process.ts'
import { skewed } from './skewed.ts'

/** How large a race is. */
export interface RaceSize {
  readonly keys: number
  /** Racers for each key, over all processes. */
  readonly callers: number
  readonly ttlMs: number
  readonly timeoutMs: number
  /** Where processes kill themselves, one after the other in each of the four places. */
  readonly deaths: readonly SignUpStep[]
}

const PROCESSES = 4
const HOUR = 3_600_000

/** Every step that a process may die at. */
export const allSteps: readonly SignUpStep[] = [
  'claimed',
  'inserting',
  'inserted',
  'committed',
  'confirmed',
  'resolved',
  'placed',
]

/** What a caller may be told beside the id. */
const conflicts = new Set(['CLAIM_PENDING', 'BUSY'])

/** What a race came to. */
export interface RaceReport {
  readonly calls: number
  readonly ids: number
  readonly conflicts: number
  readonly kills: number
}

/**
 * Races sign-ups from four processes with clocks an hour apart, which die at each step and stand still for
 * longer than a claim does, and checks that each key has one account, the one that every caller was told.
 */
export async function raceSignUps(engine: Database, size: RaceSize): Promise<RaceReport> {
  let report: RaceReport | null = null
  await onAccountFleet(engine, async (fleet) => {
    const folder = mkdtempSync(join(tmpdir(), 'shard-race-'))
    try {
      const told = await race(fleet, size, folder)
      const conflicted = told.filter(([, answer]) => conflicts.has(answer)).length
      report = {
        calls: told.length,
        ids: told.length - conflicted,
        conflicts: conflicted,
        kills: size.deaths.length,
      }
      await check(fleet, size, told)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
  return report ?? assert.fail()
}

async function race(fleet: AccountFleet, size: RaceSize, folder: string): Promise<Told[]> {
  const files = Array.from({ length: PROCESSES }, (_, i) => join(folder, `${i}`))
  await Promise.all(
    files.map(async (file, i) => {
      writeFileSync(file, '')
      const deaths = size.deaths.filter((_, place) => place % PROCESSES === i)
      for (const [life, step] of [...deaths, null].entries()) {
        const work: SignUps = {
          urls: { global: fleet.global, shards: fleet.shards },
          file,
          keys: keysOf(size),
          callers: Math.ceil(size.callers / PROCESSES),
          process: 1 + i * 10 + life,
          ttlMs: size.ttlMs,
          aheadMs: (i - 1) * HOUR,
          die: step && { step, at: 1 + 2 * life },
          pauseEvery: 37 + i,
        }
        await live(work, size.timeoutMs)
      }
    }),
  )
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n').filter(Boolean))
  return lines.map((line) => JSON.parse(line) as Told)
}

/** One life of a process: to its end, or to its death. */
async function live(work: SignUps, timeoutMs: number): Promise<void> {
  await withChildren(
    'sign-up-process.ts',
    1,
    async ([child]) => {
      const end = await child?.ask(work).catch((error: Error) => error.message)
      assert.equal(end, work.die ? 'a child ended early: SIGKILL' : 'done')
    },
    { timeoutMs },
  )
}

async function check(fleet: AccountFleet, size: RaceSize, told: readonly Told[]): Promise<void> {
  // The clock of SQLite is the host's, and of these the one that is furthest ahead has made claims.
  const executor = fleet.connect((inner) => skewed(inner, () => PROCESSES * HOUR))
  const directory = directoryOn(executor)
  const owners = new Map<string, string>()
  for (const key of keysOf(size)) owners.set(key, String(await signedUp(executor, key, size.ttlMs)))
  for (const [key, answer] of told)
    assert.ok(conflicts.has(answer) || answer === owners.get(key), `${key}: ${answer}`)
  const accounts = await accountsOf(executor)
  assert.deepEqual(new Map(accounts.map(({ key, id }) => [key, String(id)])), owners)
  assert.equal(accounts.length, size.keys)
  const entries = await directory.list({ limit: 10_000 })
  assert.deepEqual(new Map(entries.map(({ key, id }) => [key, String(id)])), owners)
  assert.ok(entries.length === size.keys && entries.every(({ state }) => state === 'confirmed'))
}

/** Whoever comes last gets an id, as soon as the claims of the dead have expired. */
async function signedUp(executor: Executor, key: string, ttlMs: number): Promise<bigint> {
  const directory = directoryOn(executor)
  const placer = placing(99)
  for (const deadline = Date.now() + 60_000; ; ) {
    try {
      return await signUp({ directory, placer, executor, key, insert: insertAccount(key), ttlMs })
    } catch (error) {
      if (!isShardError(error, 'CLAIM_PENDING') || Date.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, Math.min(error.retryable ? 20 : 0, 20)))
    }
  }
}

function keysOf({ keys }: RaceSize): string[] {
  return Array.from({ length: keys }, (_, i) => `user${i}@example.com`)
}
