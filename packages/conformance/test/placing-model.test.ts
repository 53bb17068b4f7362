import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { type Executor, IdAllocator, type ShardId } from '@shard/core'
import { legalTransitions, type ShardRecord } from '@shard/registry'
import { describe, expect, test } from 'vitest'
import { startChild } from './children.ts'
import { type Database, databases, withServer } from './databases.ts'
import { placerOn } from './placers.ts'
import {
  addStandby,
  measureStored,
  prepareFleet,
  ROOM,
  type SnapshotLine,
  snapshot,
  storedKeys,
} from './placing-fleet.ts'
import type { WorkerNews, WorkerTask } from './placing-worker.ts'
import { registryOn } from './registry-hosts.ts'
import { onSharedDatabase } from './shared-database.ts'

const PROCESSES = 4
const PLACERS = 4
const QUOTA = 2
/** Keys between two deeds of the operator, and how many deeds there are. */
const KEYS = 25
const DEEDS = 16
const STANDBYS = 12

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      test(
        '16 placers in 4 processes, killed and paused, among operators: every promise is kept',
        () => run(engine),
        170_000,
      )
    })
  })
}

async function run(engine: Database): Promise<void> {
  await onSharedDatabase(engine, async ({ url, connect }) => {
    const executor = connect()
    await prepareFleet(executor, STANDBYS)
    const workers = new Workers(url, () => keepStandbys(executor))
    try {
      await workers.start(PROCESSES)
      const operator = new Operator(executor, workers)
      for (let deed = 0; deed < DEEDS; deed++) {
        await workers.placed(KEYS)
        await operator.act(deed)
        checkSnapshot(await snapshot(executor))
      }
      await workers.stop()
      expect(workers.errors).toEqual([])
    } finally {
      workers.kill()
    }
    await checkEnd(executor)
  })
}

/** The processes, of which some are killed and replaced. */
class Workers {
  readonly #url: string
  #children: ChildProcess[] = []
  #started = 0
  #keys = 0
  readonly #refill: () => Promise<void>
  #refilling: Promise<void> | null = null
  #onNews: () => void = () => {}
  readonly errors: string[] = []

  /** Calls `refill` after each key, but one at a time. */
  constructor(url: string, refill: () => Promise<void>) {
    this.#url = url
    this.#refill = refill
  }

  async start(count: number): Promise<void> {
    await Promise.all(Array.from({ length: count }, () => this.#startOne()))
  }

  /** Resolves after so many keys more; rejects if a placer was refused anything. */
  placed(count: number): Promise<void> {
    const wanted = this.#keys + count
    return new Promise((resolve, reject) => {
      this.#onNews = () => {
        if (this.errors.length > 0) reject(new Error(this.errors.join()))
        else if (this.#keys >= wanted) resolve()
      }
    })
  }

  /** Ends one as a power cut would, and starts another. */
  async replaceOne(): Promise<void> {
    const child = this.#children.shift()
    child?.kill('SIGKILL')
    await this.#startOne()
  }

  /** Keeps one from running while the others place some keys. */
  async pauseOne(): Promise<void> {
    const [child] = this.#children
    child?.kill('SIGSTOP')
    // Whoever stands still may hold a lock that the others wait for.
    await Promise.race([this.placed(10), new Promise((resolve) => setTimeout(resolve, 500))])
    child?.kill('SIGCONT')
  }

  /** Resolves once all have ended. */
  async stop(): Promise<void> {
    const ends = this.#children.map((child) => once(child, 'exit'))
    for (const child of this.#children) child.send('stop')
    await Promise.all(ends)
    await this.#refilling
  }

  kill(): void {
    for (const child of this.#children) child.kill('SIGKILL')
  }

  #count(): void {
    this.#keys += 1
    this.#refilling ??= this.#refill()
      .catch((error: unknown) => void this.errors.push(String(error)))
      .finally(() => {
        this.#refilling = null
      })
  }

  async #startOne(): Promise<void> {
    const child = startChild('placing-worker.ts', 160_000)
    const task: WorkerTask = { url: this.#url, process: ++this.#started, placers: PLACERS, quota: QUOTA }
    child.on('message', (news: WorkerNews) => {
      if ('ready' in news) child.send(task)
      if ('error' in news) this.errors.push(news.error)
      if ('placed' in news) this.#count()
      this.#onNews()
    })
    this.#children.push(child)
    await once(child, 'message')
  }
}

/** So that no key may be refused. */
async function keepStandbys(executor: Executor): Promise<void> {
  const shards = await registryOn(executor).list()
  const standbys = shards.filter(({ status }) => status === 'standby').length
  for (let i = 1; i <= STANDBYS - standbys; i++) await addStandby(executor, shards.length + i)
}

/** Does to the fleet what operators do, and what happens to machines. */
class Operator {
  readonly #executor: Executor
  readonly #workers: Workers

  constructor(executor: Executor, workers: Workers) {
    this.#executor = executor
    this.#workers = workers
  }

  async act(deed: number): Promise<void> {
    const deeds = [
      () => this.#seal(),
      () => this.#workers.replaceOne(),
      () => this.#setCapacity(),
      () => this.#disable(),
      () => measureStored(this.#executor),
      () => this.#enable(),
      () => this.#workers.pauseOne(),
      () => this.#setCapacity(),
    ]
    await deeds[deed % deeds.length]?.()
  }

  /** The next `place` promotes. */
  async #seal(): Promise<void> {
    const sealed = await this.#leave('sealed')
    const placer = placerOn(this.#executor, new IdAllocator(), 0, { quota: QUOTA, estimatedBytesPerKey: 1 })
    const { shard } = await placer.place()
    expect(sealed).not.toContain(shard)
    // It may be full by now.
    const history = await registryOn(this.#executor).history(shard)
    expect(history.map((change) => change.to)).toContain('active')
  }

  #disable(): Promise<readonly ShardId[]> {
    return this.#leave('disabled')
  }

  async #leave(to: 'sealed' | 'disabled'): Promise<readonly ShardId[]> {
    const left: ShardId[] = []
    for (const { id } of await this.#all('active'))
      if (await registryOn(this.#executor).transition(id, 'active', to, { by: 'operator' })) left.push(id)
    return left
  }

  async #enable(): Promise<void> {
    for (const { id } of await this.#all('disabled'))
      await registryOn(this.#executor).transition(id, 'disabled', 'active', { by: 'operator' })
  }

  async #setCapacity(): Promise<void> {
    for (const { id, maxBytes } of await this.#all('active')) {
      const other = maxBytes === ROOM[0] ? ROOM[1] : ROOM[0]
      await registryOn(this.#executor).setCapacity(id, { maxBytes: other }, { by: 'operator' })
    }
  }

  async #all(status: string): Promise<readonly ShardRecord[]> {
    return (await registryOn(this.#executor).list()).filter((shard) => shard.status === status)
  }
}

/**
 * At any moment: a placer has only sealed what was active and promoted standbys; each of its seals is there together
 * with one promotion, so that no fill ever takes the last active shard away; and a history ends where its shard is.
 */
function checkSnapshot(lines: readonly SnapshotLine[]): void {
  const own = lines.filter(({ changed_by }) => changed_by === 'placer')
  const sealed = own.filter(({ to_status }) => to_status === 'sealed')
  const promoted = own.filter(({ to_status }) => to_status === 'active')
  expect(sealed.length + promoted.length).toBe(own.length)
  for (const { from_status } of sealed) expect(from_status).toBe('active')
  for (const { from_status } of promoted) expect(from_status).toBe('standby')
  const reasons = (of: readonly SnapshotLine[]): readonly (string | null)[] =>
    of.map(({ reason }) => reason).sort()
  const fills = promoted.filter(({ reason }) => reason !== 'no shard was active')
  expect(reasons(fills)).toEqual(reasons(sealed))
  for (const shard of new Set(lines.map(({ shard_id }) => shard_id)))
    checkHistory(lines.filter(({ shard_id }) => shard_id === shard))
}

function checkHistory(lines: readonly SnapshotLine[]): void {
  let status: string | null = null
  let version = 0n
  for (const line of lines) {
    expect(line.from_status).toBe(status)
    expect(line.version).toBeGreaterThan(version)
    if (status !== null && line.to_status !== status)
      expect(legalTransitions[status as 'active']).toContain(line.to_status)
    status = line.to_status
    version = line.version
  }
  expect(lines[0]?.status).toBe(status)
}

async function checkEnd(executor: Executor): Promise<void> {
  const lines = await snapshot(executor)
  checkSnapshot(lines)
  const promotions = lines.filter(
    ({ changed_by, to_status }) => changed_by === 'placer' && to_status === 'active',
  )
  expect(promotions.length).toBeGreaterThan(3)
  // Of the placers that were alive when a size was measured, each may have had a quota and one key on its way.
  const bound = ROOM[1] + BigInt((PROCESSES * PLACERS + 1) * (QUOTA + 1))
  const stored = await storedKeys(executor)
  for (const keys of stored.values()) expect(keys).toBeLessThanOrEqual(bound)
  expect([...stored.values()].reduce((sum, keys) => sum + keys, 0n)).toBeGreaterThanOrEqual(
    BigInt(KEYS * DEEDS),
  )
}
