import { appendFileSync } from 'node:fs'
import { isShardError } from '@shard/core'
import { type SignUpStep, signUp } from '@shard/directory'
import { type FleetUrls, insertAccount, openAccounts, placing } from './account-fleet.ts'
import { directoryOn } from './directory-hosts.ts'
import { skewed } from './skewed.ts'

// One of several processes that sign up the same keys; sign-up-race.ts runs it. What a caller was told is in the
// file before the next thing happens, so that a process that kills itself has still said it.

/** What a process is to do. */
export interface SignUps {
  readonly urls: FleetUrls
  readonly file: string
  readonly keys: readonly string[]
  /** For each key, at once. */
  readonly callers: number
  /** Sets its ids apart. */
  readonly process: number
  readonly ttlMs: number
  /** How far the host's clock is ahead. */
  readonly aheadMs: number
  /** Where it kills itself, and at which time of being there. */
  readonly die: { readonly step: SignUpStep; readonly at: number } | null
  /** Every so many steps one takes three times as long as a claim stands. */
  readonly pauseEvery: number
}

/** What a caller was told: the id, or the code of the refusal. */
export type Told = readonly [key: string, answer: string]

async function run(work: SignUps): Promise<void> {
  const { now } = Date
  Date.now = () => now() + work.aheadMs
  const executor = openAccounts(work.urls, (inner) => skewed(inner, () => work.aheadMs), 8)
  const directory = directoryOn(executor)
  const placer = placing(work.process)
  const onStep = faults(work)
  const call = async (key: string): Promise<void> => {
    const insert = insertAccount(key)
    const answer = await signUp({
      directory,
      placer,
      executor,
      key,
      insert,
      ttlMs: work.ttlMs,
      onStep,
    }).catch(codeOf)
    appendFileSync(work.file, `${JSON.stringify([key, String(answer)] satisfies Told)}\n`)
  }
  for (const key of work.keys) await Promise.all(Array.from({ length: work.callers }, () => call(key)))
  await executor.close()
}

function codeOf(error: unknown): string {
  if (isShardError(error)) return error.code
  throw error
}

function faults({ die, pauseEvery, ttlMs }: SignUps): (step: SignUpStep) => Promise<void> {
  const counts = { died: 0, steps: 0 }
  return async (step) => {
    if (step === die?.step && ++counts.died === die.at) process.kill(process.pid, 'SIGKILL')
    if (++counts.steps % pauseEvery === 0) await new Promise((resolve) => setTimeout(resolve, ttlMs * 3))
  }
}

process.once('message', async (work: SignUps) => {
  await run(work)
  process.send?.('done', () => process.disconnect())
})
process.send?.('ready')
