import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Executor, layouts } from '@shard/core'
import { ensureControlTables } from '@shard/registry'
import { bumpLeases, retryRefused } from '@shard/sql'
import { beforeAll, describe, expect, test } from 'vitest'
import { databases, withServer } from './databases.ts'
import { freshDatabase, openDatabase } from './fresh-database.ts'
import { unionOf } from './id-union.ts'
import { bundleMinter } from './minter-bundle.ts'
import { type Blow, type Fleet, mintTogether, type Slot } from './minting.ts'

const PROCESSES = 8
const IDS = 200_000

/** Many times what it takes on a machine that has nothing else to do. */
const TIMEOUT_MS = 120_000

/** As many numbers as processes: whoever comes next gets one that another has just had. */
const layout = { ...layouts.default, workerBits: 3 }

const HOUR = 3_600_000
const aheads = [0, HOUR, -HOUR, 0, 1_800_000, -1_800_000, 1, 0]

/** `SHARD_MINT_SEED` repeats a run, as far as processes can be repeated. */
const seed = Number(process.env.SHARD_MINT_SEED ?? Date.now() % 1_000_000)

let program = ''

beforeAll(async () => {
  const { file, remove } = await bundleMinter()
  program = file
  return remove
})

/** Four are killed, three are paused. */
function slots(): Slot[] {
  let state = seed
  const somewhere = (from: number, to: number): number => {
    state = (state * 48_271 + 11) % 2_147_483_647
    return Math.floor(IDS * (from + (state / 2_147_483_647) * (to - from)))
  }
  const kill = (from: number, to: number): Blow => ({ kind: 'kill', after: somewhere(from, to) })
  const pause = (from: number, to: number): Blow => ({ kind: 'pause', after: somewhere(from, to) })
  const blows = [
    [kill(0, 0.9)],
    [pause(0.1, 0.9)],
    [kill(0.1, 0.9)],
    [],
    [pause(0, 0.4), kill(0.5, 0.9)],
    [],
    [kill(0.1, 0.9)],
    [pause(0.3, 0.7)],
  ]
  return aheads.map((aheadMs, i) => ({ aheadMs, blows: blows[i] ?? [] }))
}

async function withFolder<T>(body: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'shard-ids-'))
  try {
    return await body(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function fleet(folder: string, url: string | null): Fleet {
  return {
    program,
    job: { url, layout, ttlMs: 1_000, perLease: 60_000 },
    idsPerSlot: IDS,
    folder,
    partitions: 1,
    timeoutMs: TIMEOUT_MS,
  }
}

/** In the midst of it all the leases fall back to what they were a while ago, and are bumped at once. */
async function fallBack(executor: Executor, isOver: () => boolean): Promise<boolean> {
  const plain = (sql: string) => ({ sql, parameters: [] })
  const held = async (): Promise<bigint> => {
    const query = plain('select count(token) as held from shard_leases')
    return (await executor.execute<{ held: bigint }>(query)).rows[0]?.held ?? 0n
  }
  while ((await held()) < BigInt(PROCESSES / 2)) {
    if (isOver()) return false
    await sleep(20)
  }
  await executor.execute(plain('create table backup as select * from shard_leases'))
  await sleep(700)
  const change = (): Promise<void> =>
    executor.transaction(async (tx) => {
      await tx.execute(plain('delete from shard_leases'))
      await tx.execute(plain('insert into shard_leases select * from backup'))
      await bumpLeases(tx)
    })
  await retryRefused(change)
  return !isOver()
}

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      test(
        `killed, paused, restarted, hours apart, with leases that fall back: no id twice (seed ${seed})`,
        () =>
          withFolder(async (folder) => {
            const { url, drop } = await freshDatabase(engine)
            const executor = openDatabase(url)
            await ensureControlTables(executor, { layout })
            let isOver = false
            const minting = mintTogether(fleet(folder, url), slots()).finally(() => {
              isOver = true
            })
            const [[files], fellBack] = await Promise.all([minting, fallBack(executor, () => isOver)])
            expect(fellBack).toBe(true)
            expect(unionOf(files as string[])).toEqual({ ids: PROCESSES * IDS, repeats: 0 })
            await executor.close()
            await drop()
          }),
        TIMEOUT_MS,
      )
    })
  })
}

test('the same processes without leases make ids twice, so this would be seen', () =>
  withFolder(async (folder) => {
    const same = aheads.map(() => ({ aheadMs: 0, blows: [] }))
    const [files] = await mintTogether({ ...fleet(folder, null), idsPerSlot: 100_000 }, same.slice(0, 4))
    const { ids, repeats } = unionOf(files as string[])
    expect(ids).toBe(400_000)
    expect(repeats).toBeGreaterThan(0)
  }))
