import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BlockAllocator } from '@shard/s3-alloc'
import { expect, test } from 'vitest'
import { type Child, withChildren } from './children.ts'
import { openPlace } from './counter-places.ts'
import type { CounterTask } from './counter-process.ts'
import { bucketPlace, databasePlace, type OwnPlace, r2Place } from './counter-stores.ts'
import { databases, s3Store, withServer } from './databases.ts'

const PROCESSES = 5
const INCREMENTS = 200
const IDS = 100_000
const BLOCK = 2_500
/** As many ids a process asks for at once. */
const BATCH = 250

interface Setting {
  readonly title: string
  open(): Promise<OwnPlace>
}

const settings: Setting[] = [{ title: 'R2', open: r2Place }]
for (const engine of databases)
  withServer(engine.name, engine.availability, () => {
    settings.push({ title: engine.name, open: () => databasePlace(engine) })
  })
withServer('the S3 store', s3Store, (endpoint) => {
  settings.push({ title: 'the S3 store', open: () => bucketPlace(endpoint) })
})

// Processes take longer to start than to count, so five do for all stores; each kill takes one more.
test('on every store five processes lose no increment, and share no id when one is killed', {
  timeout: 900_000,
}, async () => {
  await withChildren(
    'counter-process.ts',
    PROCESSES + settings.length,
    async (children) => {
      for (const [i, setting] of settings.entries())
        await onStore(setting, children.slice(0, PROCESSES), children[PROCESSES + i] as Child)
    },
    { timeoutMs: 890_000 },
  )
})

async function onStore({ title, open }: Setting, five: readonly Child[], victim: Child): Promise<void> {
  const { place, drop } = await open()
  const { counter, close } = openPlace(place)
  for (const name of ['sum', 'ids']) await new BlockAllocator({ counter: counter(name) }).initialize()
  const folder = mkdtempSync(join(tmpdir(), 'shard-counter-'))
  try {
    const task: CounterTask = { kind: 'increment', place, name: 'sum', times: INCREMENTS }
    const answers = await Promise.all(five.map((child) => child.ask(task)))
    expect(answers, title).toEqual(five.map(() => 'done'))
    expect((await counter('sum').load())?.value, title).toBe(BigInt(PROCESSES * INCREMENTS))
    const files = [...five, victim].map((_, i) => join(folder, `${i}`))
    await mintAll(five, victim, (i) => {
      const file = files[i] as string
      return { kind: 'mint', place, name: 'ids', blockSize: BLOCK, count: IDS, file }
    })
    const given = countDisjoint(files.flatMap(runsIn))
    for (const file of files) expectAscending(runsIn(file))
    const taken = (await counter('ids').load())?.value ?? 0n
    expect(given, title).toBeGreaterThanOrEqual(BigInt(PROCESSES * IDS))
    // Two blocks of each, closed or killed; of a batch that was given and not written nobody knows.
    expect(taken - given, title).toBeLessThanOrEqual(BigInt((PROCESSES + 1) * 2 * BLOCK + BATCH))
  } finally {
    rmSync(folder, { recursive: true })
    await close()
    await drop()
  }
}

/** Lets five processes mint beside one that is killed at some moment. */
async function mintAll(
  five: readonly Child[],
  victim: Child,
  task: (process: number) => CounterTask,
): Promise<void> {
  const killed = victim.ask<string>(task(PROCESSES)).catch(() => 'killed')
  const work = five.map((child, i) => child.ask<string>(task(i)))
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 300))
  victim.kill()
  expect(await Promise.all(work)).toEqual(five.map(() => 'done'))
  expect(await killed).toMatch(/^(done|killed)$/)
}

type Run = readonly [first: bigint, last: bigint]

function runsIn(file: string): Run[] {
  const lines = readFileSync(file, { encoding: 'utf8', flag: 'a+' }).split('\n')
  // A line that was cut by a kill says nothing.
  return lines.slice(0, -1).map((line) => line.split(' ').map(BigInt) as unknown as Run)
}

function countDisjoint(runs: readonly Run[]): bigint {
  const sorted = [...runs].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [i, [first]] of sorted.entries()) expect(first > (sorted[i - 1]?.[1] ?? 0n)).toBe(true)
  return sorted.reduce((sum, [first, last]) => sum + last - first + 1n, 0n)
}

function expectAscending(runs: readonly Run[]): void {
  for (const [i, [first]] of runs.entries()) expect(first > (runs[i - 1]?.[1] ?? 0n)).toBe(true)
}
