import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { staticCatalog } from '../src/catalog.ts'
import { BusyError, ConnectionLostError, DeadlockError, UniqueViolationError } from '../src/driver-errors.ts'
import type { ShardError } from '../src/errors.ts'
import { ShardCodec } from '../src/id-codec.ts'
import { type ResiliencePolicy, resilient } from '../src/resilience.ts'
import { ShardingSettings } from '../src/settings.ts'
import { fakeExecutor } from './fake-executor.ts'
import { refusal, rejection } from './refusal.ts'

const statement = { sql: 'select 1', parameters: [] }
const lost = (outcome: 'not-applied' | 'unknown' = 'not-applied') =>
  new ConnectionLostError(new Error('cut'), outcome)
const once: ResiliencePolicy = { maxAttempts: 1, breakAfter: 3, halfOpenAfterMs: 1_000 }

/** An executor that fails with each error in turn, then answers. */
function failing(...errors: ShardError[]) {
  const queue = [...errors]
  return fakeExecutor(() => {
    const error = queue.shift()
    if (error) throw error
    return [{ id: 1 }]
  })
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** The result of a call, whose waits are over at once. */
async function settled<T>(call: Promise<T>): Promise<T> {
  call.catch(() => {})
  await vi.runAllTimersAsync()
  return call
}

describe('a call is made again', () => {
  test('while its error is retryable and nothing was applied', async () => {
    const inner = failing(lost(), new BusyError(new Error('locked')), new DeadlockError(new Error('knot')))
    const { rows } = await settled(resilient(inner).execute(statement))
    expect([rows, inner.calls.length]).toEqual([[{ id: 1 }], 4])
  })

  test('as often as the policy says, and then its error is passed on', async () => {
    const inner = failing(lost(), lost(), lost())
    const call = resilient(inner, { maxAttempts: 3 }).execute(statement)
    await rejection('CONNECTION_LOST', settled(call))
    expect(inner.calls.length).toBe(3)
  })

  test.each([
    ['may have been applied', lost('unknown')],
    ['would fail again', new UniqueViolationError(new Error('twice'))],
  ])('never if it %s', async (_, error) => {
    const inner = failing(error)
    await expect(settled(resilient(inner).execute(statement))).rejects.toBe(error)
    expect(inner.calls.length).toBe(1)
  })

  test('whole, if it is a transaction; what is inside is not', async () => {
    const inner = failing(new DeadlockError(new Error('knot')))
    let runs = 0
    const call = resilient(inner).transaction((tx) => {
      runs++
      return tx.execute(statement)
    })
    await settled(call)
    expect([runs, inner.calls.length]).toEqual([2, 2])
  })

  test('before the first row of a stream, and not after it', async () => {
    const read = async (executor: ReturnType<typeof resilient>) => {
      const rows: unknown[] = []
      for await (const row of executor.stream(statement)) rows.push(row)
      return rows
    }
    expect(await settled(read(resilient(failing(lost()))))).toEqual([{ id: 1 }])
    const broken = {
      ...failing(),
      async *stream<Row>(): AsyncIterable<Row> {
        yield {} as Row
        throw lost()
      },
    }
    await rejection('CONNECTION_LOST', settled(read(resilient(broken))))
  })

  test('an abort ends the wait between two attempts', async () => {
    const inner = failing(lost(), lost())
    const abort = new AbortController()
    const call = resilient(inner, { initialDelayMs: 60_000, maxDelayMs: 60_000 }).execute(statement, {
      signal: abort.signal,
    })
    const refused = rejection('ABORTED', call)
    await vi.advanceTimersByTimeAsync(0)
    abort.abort()
    expect((await refused).outcome).toBe('not-applied')
    await vi.runAllTimersAsync()
    expect(inner.calls.length).toBe(1)
  })
})

describe('a breaker', () => {
  test('opens after so many failures, refuses at once, and closes when one call is let through', async () => {
    const inner = failing(lost('unknown'), lost('unknown'), lost('unknown'))
    const executor = resilient(inner, once)
    for (let i = 0; i < 3; i++) await rejection('CONNECTION_LOST', executor.execute(statement))
    const refused = await rejection('BUSY', executor.execute(statement))
    expect([refused.retryable, refused.outcome, inner.calls.length]).toEqual([true, 'not-applied', 3])
    await vi.advanceTimersByTimeAsync(1_000)
    expect((await executor.execute(statement)).rows).toEqual([{ id: 1 }])
    expect((await executor.execute(statement)).rows).toEqual([{ id: 1 }])
  })

  test('lets one call through at a time, and no other waits for it', async () => {
    let end = (): void => {}
    const inner = fakeExecutor(() => {
      if (inner.calls.length <= 3) throw lost()
      return new Promise((resolve) => {
        end = () => resolve([{ id: 1 }])
      })
    })
    const executor = resilient(inner, once)
    for (let i = 0; i < 3; i++) await rejection('CONNECTION_LOST', executor.execute(statement))
    await vi.advanceTimersByTimeAsync(1_000)
    const probe = executor.execute(statement)
    await rejection('BUSY', executor.execute(statement))
    end()
    expect((await probe).rows).toEqual([{ id: 1 }])
  })

  test('of one shard is no business of the others', async () => {
    const shards = new Map([
      [1, failing(...Array.from({ length: 9 }, () => lost()))],
      [2, failing()],
    ])
    const settings = ShardingSettings.encoded('users', ShardCodec.default)
    const executor = resilient(settings.executor(staticCatalog({ global: failing(), shards })), once)
    const on = (shard: number) =>
      executor.execute(statement, { route: { key: ShardCodec.default.compose(shard, 1n) } })
    for (let i = 0; i < 3; i++) await rejection('CONNECTION_LOST', on(1))
    await rejection('BUSY', on(1))
    expect((await on(2)).rows).toEqual([{ id: 1 }])
    expect((await executor.execute(statement)).rows).toEqual([{ id: 1 }])
  })

  test('does not count what the work of a transaction met elsewhere', async () => {
    const executor = resilient(failing(), once)
    for (let i = 0; i < 5; i++) {
      const call = executor.transaction(() => Promise.reject(lost()))
      await rejection('CONNECTION_LOST', call)
    }
    expect((await executor.execute(statement)).rows).toEqual([{ id: 1 }])
  })
})

test.each([{ maxAttempts: 0 }, { initialDelayMs: -1 }, { breakAfter: 1.5 }, { halfOpenAfterMs: Number.NaN }])(
  'a policy out of range is refused: %o',
  (policy) => {
    refusal('INVALID_ARGUMENT', () => resilient(failing(), policy))
  },
)
