import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Executor } from '../src/executor.ts'
import { type LazyCatalogOptions, lazyCatalog } from '../src/lazy-catalog.ts'
import { fakeExecutor } from './fake-executor.ts'
import { rejection } from './refusal.ts'

const select = { sql: 'select 1', parameters: [] }
const needOf = (shard: number): number => 1 + (shard % 3)
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

afterEach(() => {
  vi.useRealTimers()
})

/** Twelve shards that need one to three connections, which count from the moment they are being opened. */
function unequal(options: Partial<LazyCatalogOptions> = {}) {
  let used = 0
  let most = 0
  const catalog = lazyCatalog({
    global: fakeExecutor(),
    shardIds: Array.from({ length: 12 }, (_, i) => i),
    maxConnections: 5,
    open: async (shard) => {
      used += needOf(shard)
      most = Math.max(most, used)
      await turn()
      const executor = fakeExecutor(async () => {
        await turn()
        return []
      })
      const close = async (): Promise<void> => {
        await turn()
        used -= needOf(shard)
      }
      return { executor: { ...executor, close } as Executor, connections: needOf(shard) }
    },
    ...options,
  })
  return { catalog, most: () => most, used: () => used }
}

describe('shards that need different numbers of connections', () => {
  test('never pass the budget if they say so before they are open', async () => {
    const { catalog, most, used } = unequal({ connectionsOf: needOf })
    const calls = Array.from({ length: 200 }, (_, i) => catalog.shard((i * 7) % 12).execute(select))
    expect(await Promise.all(calls)).toHaveLength(200)
    expect(most()).toBeGreaterThan(3)
    expect(most()).toBeLessThanOrEqual(5)
    await catalog.close()
    expect(used()).toBe(0)
  })

  test('need, when they are opened again, what they needed before', async () => {
    const { catalog, most } = unequal()
    await catalog.shard(0).execute(select)
    await catalog.shard(2).execute(select)
    const first = most()
    for (let i = 0; i < 60; i++) await catalog.shard((i * 7) % 12).execute(select)
    expect(most()).toBeLessThanOrEqual(Math.max(first, 5))
  })

  test('are refused, and closed, if they need more than was said, or it is no number', async () => {
    const { catalog, used } = unequal({ connectionsOf: () => 1 })
    await rejection('INVALID_ARGUMENT', catalog.shard(2).execute(select))
    expect(used()).toBe(0)
    await catalog.shard(0).execute(select)
    for (const need of [-1, 1.5, 6, '1', undefined]) {
      const { catalog } = unequal({ connectionsOf: () => need as number })
      await rejection('INVALID_ARGUMENT', catalog.shard(0).execute(select))
    }
  })
})

describe('closing while a shard is being opened', () => {
  test('refuses its callers at once, waits as long as a caller would, and closes what comes later', async () => {
    vi.useFakeTimers()
    const executor = fakeExecutor()
    let come = (): void => {}
    const opened = new Promise<void>((resolve) => {
      come = resolve
    })
    const { catalog } = unequal({
      waitTimeoutMs: 500,
      open: async () => {
        await opened
        return { executor, connections: 1 }
      },
    })
    const waiting = rejection('CLOSED', catalog.shard(0).execute(select))
    await vi.advanceTimersByTimeAsync(0)
    let closed = false
    const closing = catalog.close().then(() => {
      closed = true
    })
    await waiting
    await vi.advanceTimersByTimeAsync(499)
    expect(closed).toBe(false)
    await vi.advanceTimersByTimeAsync(1)
    await closing
    expect(executor.closed()).toBe(0)
    come()
    await vi.advanceTimersByTimeAsync(0)
    expect(executor.closed()).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('waits for one that comes in time', async () => {
    const { catalog, used } = unequal()
    const waiting = rejection('CLOSED', catalog.shard(0).execute(select))
    await catalog.close()
    await waiting
    expect(used()).toBe(0)
  })
})
