import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { bundleDemo, ended, runDemo, startDemo, temporaryDirectory } from './run-demo.ts'
import { csvOf, sampleRows } from './sample-rows.ts'
import { faultsOf, storedIn } from './stored.ts'

const KILLS = 20
const ROWS = sampleRows(400, 110)

beforeAll(bundleDemo)

test('killed at 20 random moments and run again, it loses nothing and stores nothing twice', async () => {
  const seed = Number(process.env.DEMO_KILL_SEED ?? Math.floor(Math.random() * 2 ** 31))
  console.log(`DEMO_KILL_SEED=${seed}`)
  const random = randomFrom(seed)
  const parent = temporaryDirectory()
  const csv = join(parent, 'people.csv')
  writeFileSync(csv, csvOf(ROWS))
  const args = (data: string): string[] => [
    '--import',
    csv,
    '--data',
    data,
    '--batch',
    '8',
    '--shard-size',
    '0.2',
  ]

  let kills = 0
  let finished = 0
  while (kills < KILLS) {
    const data = join(parent, `data-${finished}`)
    // Until this data directory is complete, or the last kill was made.
    while (kills < KILLS && (await killAtRandom(args(data), random))) kills++
    const last = await runDemo(...args(data))
    expect(last).toMatchObject({ exitCode: 0, stderr: '' })
    expect(faultsOf(storedIn(data), ROWS)).toEqual([])
    finished++
  }
}, 240_000)

/** True if the process was killed; false if it had ended by itself, which it must have done well. */
async function killAtRandom(args: string[], random: () => number): Promise<boolean> {
  const child = startDemo(...args)
  const end = ended(child)
  // One in four while it starts and sets up, the others while it imports.
  const starting = random() < 0.25
  const delayMs = random() * (starting ? 400 : 1_000)
  const begun = new Promise<void>((resolve) => child.stdout.once('data', () => resolve()))
  await Promise.race([starting ? null : begun, end])
  await Promise.race([sleep(delayMs), end])
  child.kill('SIGKILL')
  const { exitCode, signal, stderr } = await end
  if (signal === 'SIGKILL') return true
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  return false
}

/** A generator of numbers in [0, 1) that a seed determines: Lehmer's, modulo 2^31 - 1. */
function randomFrom(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return (state - 1) / 2_147_483_646
  }
}
