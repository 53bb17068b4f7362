import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Executor } from '../src/executor.ts'
import { type LazyCatalogOptions, lazyCatalog } from '../src/lazy-catalog.ts'
import { type Answer, type FakeExecutor, fakeExecutor } from './fake-executor.ts'
import { hostile } from './hostile.ts'
import { refusal, rejection } from './refusal.ts'

const select = { sql: 'select 1', parameters: [] }

/** A catalog over fakes, which remembers what is open, and the most that was open at one time. */
function fleet(options: Partial<LazyCatalogOptions> & { connections?: number; answer?: Answer } = {}) {
  const { connections = 1, answer, ...rest } = options
  const log: string[] = []
  const open = new Map<number, FakeExecutor>()
  let most = 0
  const catalog = lazyCatalog({
    global: fakeExecutor(),
    shardIds: Array.from({ length: 20 }, (_, i) => i),
    open: async (shard) => {
      const executor = fakeExecutor(answer)
      log.push(`open ${shard}`)
      open.set(shard, executor)
      most = Math.max(most, open.size * connections)
      const close = async (): Promise<void> => {
        log.push(`close ${shard}`)
        open.delete(shard)
      }
      return { executor: { ...executor, close } as Executor, connections }
    },
    ...rest,
  })
  return { catalog, log, open, most: () => most }
}

/** A promise that a test resolves. */
function gate(): { passed: Promise<void>; open: () => void } {
  let open = (): void => {}
  const passed = new Promise<void>((resolve) => {
    open = resolve
  })
  return { passed, open }
}

describe('opening', () => {
  test('nothing is opened until it is used, and a shard once, however many ask at once', async () => {
    const { catalog, log } = fleet()
    expect(log).toEqual([])
    await Promise.all([1, 1, 1, 2].map((shard) => catalog.shard(shard).execute(select)))
    expect(log).toEqual(['open 1', 'open 2'])
    expect(catalog.shard(1)).toBe(catalog.shard(1))
  })

  test('100,000 shards are ready at once, and none is opened', () => {
    let opened = 0
    const catalog = lazyCatalog({
      global: fakeExecutor(),
      shardIds: Array.from({ length: 100_000 }, (_, i) => i),
      open: async () => {
        opened++
        return { executor: fakeExecutor(), connections: 1 }
      },
    })
    expect(catalog.shardIds()).toHaveLength(100_000)
    expect(catalog.shard(99_999).dialect).toBe('sqlite')
    expect(opened).toBe(0)
  })

  test('a shard that fails to open fails its callers, and is tried again', async () => {
    let broken = true
    const { catalog } = fleet({
      open: async () => {
        if (broken) throw new Error('not today')
        return { executor: fakeExecutor(), connections: 1 }
      },
    })
    const calls = [1, 1].map((shard) => catalog.shard(shard).execute(select))
    for (const call of calls) await expect(call).rejects.toThrow('not today')
    broken = false
    await catalog.shard(1).execute(select)
  })

  test('a shard that the list lacks is UNKNOWN_SHARD; the list may grow', async () => {
    let ids = [1]
    const { catalog } = fleet({ shardIds: () => ids })
    refusal('UNKNOWN_SHARD', () => catalog.shard(2))
    ids = [1, 2]
    await catalog.shard(2).execute(select)
    for (const id of hostile) expect(() => catalog.shard(id as never)).toThrow()
  })
})

describe('the budget', () => {
  test('is never exceeded; the shard used longest ago makes room', async () => {
    const { catalog, log, most } = fleet({ maxConnections: 2 })
    for (const shard of [1, 2, 1, 3, 1]) await catalog.shard(shard).execute(select)
    expect(log).toEqual(['open 1', 'open 2', 'close 2', 'open 3'])
    await Promise.all(Array.from({ length: 20 }, (_, shard) => catalog.shard(shard).execute(select)))
    expect(most()).toBe(2)
  })

  test('counts the connections that each shard says it takes', async () => {
    const { catalog, most } = fleet({ maxConnections: 7, connections: 3 })
    await Promise.all(Array.from({ length: 12 }, (_, shard) => catalog.shard(shard).execute(select)))
    expect(most()).toBe(6)
    const { catalog: small } = fleet({ maxConnections: 2, connections: 3 })
    await rejection('INVALID_ARGUMENT', small.shard(1).execute(select))
  })

  test('a shard in use is not closed, and who waits for it is served before newcomers', async () => {
    const { passed, open } = gate()
    const { catalog, log } = fleet({ maxConnections: 1 })
    const held = catalog.shard(1).transaction(() => passed)
    const waiting = catalog.shard(2).execute(select)
    const newcomer = catalog.shard(1).execute(select)
    await Promise.resolve()
    expect(log).toEqual(['open 1'])
    open()
    await Promise.all([held, waiting, newcomer])
    expect(log).toEqual(['open 1', 'close 1', 'open 2', 'close 2', 'open 1'])
  })

  test('a database in memory is not closed to make room', async () => {
    const memory = { ...fakeExecutor(), ephemeral: true as const }
    const { catalog } = fleet({
      maxConnections: 1,
      waitTimeoutMs: 20,
      open: async () => ({ executor: memory, connections: 1 }),
    })
    await catalog.shard(1).execute(select)
    await rejection('BUSY', catalog.shard(2).execute(select))
    expect(memory.closed()).toBe(0)
    await catalog.shard(1).execute(select)
  })
})

describe('waiting', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('ends with BUSY, and by an abort, and leaves nothing behind', async () => {
    const { passed, open } = gate()
    const { catalog } = fleet({ maxConnections: 1, waitTimeoutMs: 1_000 })
    const held = catalog.shard(1).transaction(() => passed)
    await vi.advanceTimersByTimeAsync(0)
    const abort = new AbortController()
    const late = rejection('BUSY', catalog.shard(2).execute(select))
    const aborted = rejection('ABORTED', catalog.shard(3).execute(select, { signal: abort.signal }))
    abort.abort()
    await aborted
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await late).toMatchObject({ retryable: true, outcome: 'not-applied' })
    // With nobody left in line the shard goes on as before.
    await catalog.shard(1).execute(select)
    open()
    await held
    expect(vi.getTimerCount()).toBe(1)
  })

  test('code inside a transaction does not wait for a connection that others hold', async () => {
    const { catalog } = fleet({ maxConnections: 2 })
    const both = gate()
    let inside = 0
    const meet = async (): Promise<void> => {
      if (++inside === 2) both.open()
      await both.passed
    }
    const crossing = (from: number, to: number): Promise<unknown> =>
      catalog.shard(from).transaction(async () => {
        await meet()
        await catalog.shard(to).execute(select)
      })
    const results = await Promise.allSettled([crossing(1, 3), crossing(2, 4)])
    for (const result of results)
      expect(result).toMatchObject({ status: 'rejected', reason: { code: 'BUSY' } })
    // What is free, or can be made free at once, is given.
    await catalog.shard(1).transaction(async () => {
      await catalog.shard(5).execute(select)
    })
  })

  test('a shard that nothing uses is closed after idleMs', async () => {
    const { catalog, log } = fleet({ idleMs: 1_000 })
    await catalog.shard(1).execute(select)
    await vi.advanceTimersByTimeAsync(600)
    await catalog.shard(2).execute(select)
    await vi.advanceTimersByTimeAsync(2_100)
    expect(log).toEqual(['open 1', 'open 2', 'close 1', 'close 2'])
    await catalog.shard(1).execute(select)
    expect(log.at(-1)).toBe('open 1')
  })
})

describe('closing', () => {
  test('closes everything once, refuses who waits and who comes later', async () => {
    const { passed, open } = gate()
    const inside = gate()
    const { catalog, log } = fleet({ maxConnections: 1 })
    const held = catalog.shard(1).transaction(async () => {
      inside.open()
      await passed
    })
    const waiting = rejection('CLOSED', catalog.shard(2).execute(select))
    await inside.passed
    const closing = catalog.close()
    await waiting
    open()
    await Promise.all([held, closing])
    expect(log).toEqual(['open 1', 'close 1'])
    await rejection('CLOSED', catalog.shard(1).execute(select))
    await rejection('INVALID_ARGUMENT', catalog.shard(1).close())
  })
})

test('hostile options are typed errors', () => {
  for (const field of ['maxConnections', 'idleMs', 'waitTimeoutMs'] as const) {
    for (const value of hostile.filter((value) => value !== undefined && value !== null)) {
      refusal('INVALID_ARGUMENT', () => fleet({ [field]: value as never }))
    }
  }
})

test('a caller that gives up while its shard is opened leaves nothing pinned', async () => {
  const opened = gate()
  const { catalog, log } = fleet({ maxConnections: 1 })
  const slow = fleet({
    maxConnections: 1,
    open: async (shard) => {
      log.push(`open ${shard}`)
      await opened.passed
      return { executor: fakeExecutor(), connections: 1 }
    },
  })
  await catalog.shard(9).execute(select)
  const abort = new AbortController()
  const given = rejection('ABORTED', slow.catalog.shard(0).execute(select, { signal: abort.signal }))
  abort.abort()
  await given
  opened.open()
  await slow.catalog.shard(1).execute(select)
  expect(log).toEqual(['open 9', 'open 0', 'open 1'])
})
