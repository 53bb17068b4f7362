import { type Executor, ShardCodec, ShardedExecutor, staticCatalog } from '@shard/core'
import { ensureControlTables, refreshSizes } from '@shard/registry'
import { sqliteRegistry } from '@shard/registry/sqlite'
import { describe, expect, test } from 'vitest'
import { type Database, databases, withServer } from './databases.ts'
import { openFleet } from './fleets.ts'
import { registryOn } from './registry-hosts.ts'
import { sqliteFolder } from './sqlite-folder.ts'

describe('sizes', () => {
  const folder = sqliteFolder()
  const bytes = 1_000_000

  async function measuredFleet(count = 3) {
    const global = folder.connect('global')
    await ensureControlTables(global)
    const registry = sqliteRegistry(global, { family: 'users' })
    const shards = new Map<number, Executor>()
    for (let id = 1; id <= count; id++) {
      const shard = folder.connect(`shard-${id}`)
      await shard.execute({ sql: 'create table blobs (data blob)', parameters: [] })
      shards.set(id, shard)
      const status = id === 3 ? 'standby' : 'active'
      await registry.register({ id, name: `${id}`, status, maxBytes: BigInt(bytes) })
    }
    const catalog = staticCatalog({ global, shards })
    const executor = new ShardedExecutor({ catalog, locator: ShardCodec.default, family: 'users' })
    const fill = (id: number) => insertBlob(executor, id, bytes)
    return { registry, executor, shards, fill }
  }

  async function insertBlob(executor: Executor, shard: number, size: number): Promise<void> {
    const statement = { sql: 'insert into blobs values (zeroblob(?))', parameters: [size] }
    await executor.execute(statement, { route: { shard } })
  }

  test('pages in use are counted at once, free ones only in the file', async () => {
    const { registry, executor, fill } = await measuredFleet()
    await fill(1)
    const report = await refreshSizes(executor, registry)
    expect(report.shards.map(({ shard, error }) => [shard, error])).toEqual([
      [1, null],
      [2, null],
      [3, null],
    ])
    expect(report.full).toEqual([1])
    const first = await registry.get(1)
    expect(first?.sizeBytes).toBeGreaterThan(bytes)
    expect((await registry.get(2))?.sizeBytes).toBeLessThan(bytes / 10)
    expect(first?.status).toBe('active')

    await executor.execute({ sql: 'delete from blobs', parameters: [] }, { route: { shard: 1 } })
    expect((await refreshSizes(executor, registry)).full).toEqual([])
    const emptied = await registry.get(1)
    expect(emptied?.sizeBytes).toBeLessThan(bytes / 10)
    expect(emptied?.fileBytes).toBe(first?.fileBytes)
  })

  test('a broken shard and a missing one stop nobody and keep their last size', async () => {
    const { registry, executor, shards, fill } = await measuredFleet()
    await registry.register({ id: 9, name: 'nowhere', status: 'active', maxBytes: 1n, sizeBytes: 5n })
    await registry.register({ id: 10, name: 'out of service', status: 'disabled' })
    await Promise.all([fill(1), fill(2)])
    await refreshSizes(executor, registry)
    const before = await registry.get(1)
    await shards.get(1)?.close()
    await fill(2)

    const progress: [number, number][] = []
    const report = await refreshSizes(executor, registry, {
      concurrency: 1,
      onProgress: ({ done, total }) => progress.push([done, total]),
    })
    expect(report.shards.map(({ shard, sizeBytes }) => [shard, sizeBytes === null])).toEqual([
      [1, true],
      [2, false],
      [3, false],
      [9, true],
    ])
    expect(report.shards[0]?.error).toMatchObject({ code: 'CLOSED' })
    expect(report.shards[3]?.error).toMatchObject({ code: 'UNKNOWN_SHARD' })
    // Only what has been measured can be called full.
    expect(report.full).toEqual([2])
    expect(progress).toEqual([
      [1, 4],
      [2, 4],
      [3, 4],
      [4, 4],
    ])
    const after = await registry.get(1)
    expect(after?.sizeBytes).toBe(before?.sizeBytes)
    expect(after?.sizeError).toBeTruthy()
    expect((await registry.get(2))?.sizeBytes).toBeGreaterThan(2 * bytes)
    expect((await registry.get(9))?.sizeBytes).toBe(5n)
  })

  test('one broken shard among 20: 19 are measured and one is reported, at most 4 at a time', async () => {
    const { registry, executor, shards, fill } = await measuredFleet(20)
    await fill(1)
    await shards.get(7)?.close()
    let running = 0
    let most = 0
    let release = (): void => {}
    // None is measured before four are to be.
    const four = new Promise<void>((resolve) => {
      release = resolve
    })
    const counted: Executor = Object.create(executor, {
      dialect: { value: 'sqlite' },
      execute: {
        value: async (...args: Parameters<Executor['execute']>) => {
          most = Math.max(most, ++running)
          if (running === 4) release()
          await four
          return executor.execute(...args).finally(() => running--)
        },
      },
    })
    const { shards: sizes, full } = await refreshSizes(counted, registry, { concurrency: 4 })
    expect(sizes.map(({ shard }) => shard)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
    expect(sizes.filter(({ error }) => error !== null).map(({ shard }) => shard)).toEqual([7])
    expect(full).toEqual([1])
    expect(most).toBe(4)
    const measured = (await registry.list()).filter(({ lastSizeCheckAtMs }) => lastSizeCheckAtMs !== null)
    expect(measured).toHaveLength(19)
  })

  test('what was reserved before a shard was measured is dropped, and no more', async () => {
    const { registry, executor } = await measuredFleet()
    const held = async (id: number) => (await registry.get(id))?.reservedKeys
    await registry.reserve(1, 10, 1n)
    await registry.reserve(2, 10, 1n)
    const late: Executor = Object.create(executor, {
      dialect: { value: 'sqlite' },
      execute: {
        value: async (statement: never, options: { route: { shard: number } }) => {
          // While it is being measured, a placer reserves more.
          if (options.route.shard === 2) await registry.reserve(2, 5, 2n)
          return executor.execute(statement, options)
        },
      },
    })
    await refreshSizes(late, registry)
    expect([await held(1), await held(2)]).toEqual([0n, 5n])
  })

  test('a shard that never answers is given up, and the signal ends it all', async () => {
    const { registry, executor } = await measuredFleet()
    const silent: Executor = Object.create(executor, {
      dialect: { value: 'sqlite' },
      execute: {
        value: (statement: never, options: { route: { shard: number } }) =>
          options.route.shard === 2 ? new Promise(() => {}) : executor.execute(statement, options),
      },
    })
    const report = await refreshSizes(silent, registry, { timeoutMs: 20 })
    expect(report.shards.map(({ error }) => (error as { code?: string } | null)?.code)).toEqual([
      undefined,
      'TIMEOUT',
      undefined,
    ])
    const before = await registry.list()
    const aborted = refreshSizes(silent, registry, { signal: AbortSignal.abort() })
    await expect(aborted).rejects.toMatchObject({ code: 'ABORTED' })
    expect(await registry.list()).toEqual(before)
  })
})

/** How each engine makes a table and fills it with 50 MB that it does not compress. */
const filling: Record<Database['dialect'], readonly [table: readonly string[], megabyte: string]> = {
  sqlite: [['create table blobs (data blob)'], 'zeroblob(1000000)'],
  postgres: [
    ['create table blobs (data text)', 'alter table blobs alter column data set storage external'],
    "repeat('x', 1000000)",
  ],
  mysql: [['create table blobs (data longtext)'], "repeat('x', 1000000)"],
}

function fiftyOf(megabyte: string): string {
  const numbers = 'with recursive n as (select 1 as i union all select i + 1 from n where i < 50)'
  return `insert into blobs ${numbers} select ${megabyte} from n`
}

for (const engine of databases) {
  describe(`sizes on ${engine.name}`, () => {
    withServer(engine.name, engine.availability, () => {
      test('50 MB inserted a moment ago are seen, on their shard alone, also from another engine', async () => {
        const [sqlite] = databases as [Database, ...Database[]]
        const { executor, close } = await openFleet([sqlite, engine, engine])
        try {
          await ensureControlTables(executor)
          const registry = registryOn(executor)
          const [table, megabyte] = filling[engine.dialect]
          for (const shard of [1, 2]) {
            await registry.register({ id: shard, name: `${shard}`, status: 'active', maxBytes: 60_000_000n })
            for (const sql of table) await executor.execute({ sql, parameters: [] }, { route: { shard } })
          }
          const sizes = async (): Promise<[bigint, bigint]> => {
            const { shards } = await refreshSizes(executor, registry)
            expect(shards.map(({ error }) => error)).toEqual([null, null])
            return [shards[0]?.sizeBytes ?? 0n, shards[1]?.sizeBytes ?? 0n]
          }
          const [filled, other] = await sizes()
          await executor.execute({ sql: fiftyOf(megabyte), parameters: [] }, { route: { shard: 1 } })
          const [filledNow, otherNow] = await sizes()
          expect(filledNow - filled).toBeGreaterThanOrEqual(50_000_000n)
          expect(filledNow - filled).toBeLessThan(75_000_000n)
          expect(otherNow - other).toBeLessThan(1_000_000n)
          const record = await registry.get(1)
          expect(record?.sizeBytes).toBe(filledNow)
          expect(record?.fileBytes).toBeGreaterThanOrEqual(filledNow)
        } finally {
          await close()
        }
      })
    })
  })
}

withServer('mariadb', (databases.find(({ dialect }) => dialect === 'mysql') as Database).availability, () => {
  test('a MySQL database that has no file of its own is not measured, which is not 0', async () => {
    const mysql = databases.find(({ dialect }) => dialect === 'mysql') as Database
    const { executor, close } = await openFleet([mysql, mysql])
    try {
      await ensureControlTables(executor)
      const registry = registryOn(executor)
      await registry.register({ id: 1, name: 'empty', status: 'active', sizeBytes: 7n })
      const { shards } = await refreshSizes(executor, registry)
      expect(shards[0]?.error).toMatchObject({ code: 'NOT_FOUND' })
      expect((await registry.get(1))?.sizeBytes).toBe(7n)
    } finally {
      await close()
    }
  })
})
