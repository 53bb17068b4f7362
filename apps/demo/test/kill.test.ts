import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Addresses, argumentsOf, enginesOf, type FleetKind, freshFleet, kinds } from './fresh-fleet.ts'
import { bundleDemo, ended, runDemo, startDemo, temporaryDirectory } from './run-demo.ts'
import { csvOf, sampleRows } from './sample-rows.ts'
import { withEngines } from './servers.ts'
import { faultsOf, filesOf, storedIn } from './stored.ts'

const ROWS = sampleRows(400, 110)
const seed = Number(process.env.DEMO_KILL_SEED ?? Math.floor(Math.random() * 2 ** 31))

beforeAll(() => {
  console.log(`DEMO_KILL_SEED=${seed}`)
  return bundleDemo()
})

describe('killed at random moments and run again, it loses nothing and stores nothing twice', () => {
  test.concurrent('20 times, in a data directory', async ({ onTestFinished }) => {
    const parent = temporaryDirectory(onTestFinished)
    await killAll(20, parent, (n) => {
      const data = join(parent, `data-${n}`)
      return { addresses: filesOf(data), args: ['--data', data, '--shard-size', '0.2'] }
    })
  }, 240_000)

  const withServers = ({ global, shards }: FleetKind): boolean => global !== 'sqlite' && shards !== null
  for (const kind of kinds.filter(withServers)) {
    withEngines(kind.name, enginesOf(kind), () => {
      test.concurrent(`5 times, on ${kind.name}`, async ({ onTestFinished }) => {
        await killAll(5, temporaryDirectory(onTestFinished), () => {
          const addresses = freshFleet(kind, onTestFinished)
          return { addresses, args: argumentsOf(addresses) }
        })
      }, 240_000)
    })
  }
})

/** Where a run stores, and the arguments that say so. */
interface Place {
  readonly addresses: Addresses
  readonly args: readonly string[]
}

/** Kills the app so many times, on a new fleet whenever one is complete. */
async function killAll(count: number, directory: string, placeOf: (n: number) => Place): Promise<void> {
  const random = randomFrom(seed)
  const csv = join(directory, 'people.csv')
  writeFileSync(csv, csvOf(ROWS))
  let kills = 0
  for (let n = 0; kills < count; n++) {
    const { addresses, args } = placeOf(n)
    const all = [...args, '--import', csv, '--batch', '8']
    while (kills < count && (await killAtRandom(all, random))) kills++
    const last = await runDemo(...all)
    expect(last).toMatchObject({ exitCode: 0, stderr: '' })
    expect(faultsOf(await storedIn(addresses), ROWS)).toEqual([])
  }
}

/** True if the process was killed; false if it had ended by itself, which it must have done well. */
async function killAtRandom(args: readonly string[], random: () => number): Promise<boolean> {
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
