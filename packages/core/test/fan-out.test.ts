import { getEventListeners } from 'node:events'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, expectTypeOf, test, vi } from 'vitest'
import { BusyError, ConnectionLostError } from '../src/driver-errors.ts'
import type { IncompleteFanOutError } from '../src/errors.ts'
import type { FanOutOptions } from '../src/fan-out/options.ts'
import { type FanOutResult, fanOut } from '../src/fan-out.ts'
import { type Answer, fakeExecutor } from './fake-executor.ts'
import { fleetOf, rowsOf, select, values } from './fan-out-fleet.ts'
import { hostile } from './hostile.ts'
import { rejection } from './refusal.ts'

const never: Answer = () => new Promise(() => {})
const fails: Answer = () => {
  throw new Error('broken')
}

const unhandled = vi.fn()
beforeEach(() => {
  unhandled.mockReset()
  process.on('unhandledRejection', unhandled)
})
afterEach(async () => {
  vi.useRealTimers()
  await new Promise((resolve) => setImmediate(resolve))
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})

describe('merging', () => {
  test('[H1] the order of one merged table', async () => {
    const fleet = fleetOf(rowsOf(1n, 5n, 9n), rowsOf(2n, 6n), rowsOf(3n, 7n), rowsOf(4n, 8n))
    const orderBy = [{ column: 'v' }]
    expect(await values(fleet, { orderBy, limit: 3, offset: 2 })).toEqual([3n, 4n, 5n])
    expect(await values(fleet, { orderBy: [{ column: 'v', direction: 'desc' }], limit: 2 })).toEqual([9n, 8n])
    expect(await values(fleet, { orderBy, limit: 0 })).toEqual([])
    expect(await values(fleet, { orderBy, limit: 5, offset: 9 })).toEqual([])
    expect(await values(fleet, { orderBy, offset: 7 })).toEqual([8n, 9n])
  })

  test('any values on any shards, nulls and ties included', async () => {
    const value = fc.oneof(
      fc.constant(null),
      fc.bigInt(-3n, 3n),
      fc.constantFrom('', 'a', 'A', '\uff5e', '\u{1f600}'),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(value, { maxLength: 6 }), { minLength: 1, maxLength: 5 }),
        fc.constantFrom('asc' as const, 'desc' as const),
        fc.option(fc.constantFrom('first' as const, 'last' as const), { nil: undefined }),
        fc.nat(12),
        fc.option(fc.nat(12), { nil: undefined }),
        async (shards, direction, nulls, offset, limit) => {
          const order = { column: 'v', direction, ...(nulls && { nulls }) }
          const got = await values(fleetOf(...shards.map((shard) => rowsOf(...shard))), {
            orderBy: [order],
            offset,
            ...(limit !== undefined && { limit }),
          })
          const nullsFirst = (nulls ?? (direction === 'asc' ? 'first' : 'last')) === 'first'
          const rank = (v: unknown): number =>
            v === null ? (nullsFirst ? -9 : 9) : typeof v === 'bigint' ? 0 : 1
          const sign = direction === 'asc' ? 1 : -1
          const bytes = (v: unknown): Buffer => Buffer.from(typeof v === 'string' ? v : '')
          const number = (v: unknown): number => Number(typeof v === 'bigint' ? v : 0)
          const expected = shards.flat().sort((a, b) => {
            if (a === null || b === null) return rank(a) - rank(b)
            return sign * (rank(a) - rank(b) || number(a) - number(b) || Buffer.compare(bytes(a), bytes(b)))
          })
          expect(got).toEqual(expected.slice(offset, limit === undefined ? undefined : offset + limit))
        },
      ),
    )
  })

  test('without an order rows come shard by shard; ties stay in the order of their shards', async () => {
    const fleet = fleetOf(rowsOf(3), rowsOf(1), rowsOf(2))
    expect(await values(fleet)).toEqual([3, 1, 2])
    const ties = fleetOf(
      () => [{ v: 1, shard: 0 }],
      () => [{ v: 1, shard: 1 }],
    )
    const { rows } = await fanOut(ties.executor, select, { orderBy: [{ column: 'v', direction: 'desc' }] })
    expect(rows.map((row) => row.shard)).toEqual([0, 1])
  })

  test('asks the shards that are named, once each, and never the global database', async () => {
    const fleet = fleetOf(rowsOf(0), rowsOf(1), rowsOf(2))
    const { rows, shards, failures } = await fanOut(fleet.executor, select, { shards: [2, 0, 2] })
    expect({ rows, shards, failures }).toEqual({ rows: [{ v: 0 }, { v: 2 }], shards: [0, 2], failures: [] })
    expect([...fleet.shards.map(({ calls }) => calls.length), fleet.global.calls.length]).toEqual([
      1, 0, 1, 0,
    ])
  })
})

describe('failures', () => {
  test('[H4] one shard rejects, one hangs: an error that names both', async () => {
    vi.useFakeTimers()
    const fleet = fleetOf(rowsOf(1), fails, rowsOf(2), never, rowsOf(3))
    const failing = rejection('INCOMPLETE_FAN_OUT', fanOut(fleet.executor, select, { timeoutMs: 500 }))
    await vi.advanceTimersByTimeAsync(500)
    const error = (await failing) as IncompleteFanOutError
    expect(error).toMatchObject({ failed: [1], timedOut: [3], unavailable: [], retryable: true })
    expect(error.outcome).toBe('not-applied')
    expect(vi.getTimerCount()).toBe(0)
  })

  test('[H4] a partial answer, when asked for, names both', async () => {
    vi.useFakeTimers()
    const fleet = fleetOf(rowsOf(1), fails, rowsOf(2), never, rowsOf(3))
    const asking = fanOut(fleet.executor, select, { timeoutMs: 500, onFailure: 'partial' })
    await vi.advanceTimersByTimeAsync(500)
    const { rows, shards, failures } = await asking
    expect({ rows, shards }).toEqual({ rows: [{ v: 1 }, { v: 2 }, { v: 3 }], shards: [0, 2, 4] })
    expect(failures.map(({ shard }) => shard)).toEqual([1, 3])
    expect(failures[1]?.error).toMatchObject({ code: 'TIMEOUT' })
  })

  test('when every shard fails, partial is an error too', async () => {
    const asking = fanOut(fleetOf(fails, fails).executor, select, { onFailure: 'partial' })
    expect(await rejection('INCOMPLETE_FAN_OUT', asking)).toMatchObject({ failed: [0, 1] })
  })

  test('shards that cannot be reached are told apart from those that fail', async () => {
    const fleet = fleetOf(
      () => Promise.reject(new BusyError('locked')),
      () => Promise.reject(new ConnectionLostError('cut', 'unknown')),
      fails,
    )
    const asking = fanOut(fleet.executor, select, { shards: [0, 1, 2, 9] })
    expect(await rejection('INCOMPLETE_FAN_OUT', asking)).toMatchObject({
      failed: [2],
      unavailable: [0, 1, 9],
    })
  })

  test('a shard that answers after its time, well or badly, is not heard and breaks nothing', async () => {
    vi.useFakeTimers()
    const late = (end: (resolve: (rows: []) => void, reject: (error: Error) => void) => void): Answer => {
      return () => new Promise((resolve, reject) => setTimeout(() => end(resolve, reject), 1_000))
    }
    const fleet = fleetOf(
      late((resolve) => resolve([])),
      late((_, reject) => reject(new Error('late'))),
    )
    const failing = rejection('INCOMPLETE_FAN_OUT', fanOut(fleet.executor, select, { timeoutMs: 500 }))
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await failing).toMatchObject({ timedOut: [0, 1] })
  })

  test('the shard that is given up is told so by its signal', async () => {
    vi.useFakeTimers()
    const fleet = fleetOf(never)
    const failing = rejection('INCOMPLETE_FAN_OUT', fanOut(fleet.executor, select, { timeoutMs: 500 }))
    await vi.advanceTimersByTimeAsync(0)
    const signal = fleet.shards[0]?.calls[0]?.options.signal
    expect(signal?.aborted).toBe(false)
    await vi.advanceTimersByTimeAsync(500)
    await failing
    expect(signal?.aborted).toBe(true)
  })
})

describe('abort', () => {
  test('ends the call at once, leaving no timer and no listener', async () => {
    vi.useFakeTimers()
    const controller = new AbortController()
    const fleet = fleetOf(never, rowsOf(1), never)
    const failing = rejection('ABORTED', fanOut(fleet.executor, select, { signal: controller.signal }))
    await vi.advanceTimersByTimeAsync(10)
    controller.abort('why')
    expect((await failing).cause).toBe('why')
    expect(vi.getTimerCount()).toBe(0)
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
    expect(fleet.shards[0]?.calls[0]?.options.signal?.aborted).toBe(true)
  })

  test('shards that wait for their turn are not asked any more', async () => {
    const controller = new AbortController()
    const fleet = fleetOf(
      () => {
        controller.abort()
        return []
      },
      never,
      never,
    )
    const asking = fanOut(fleet.executor, select, {
      concurrency: 1,
      timeoutMs: 200,
      signal: controller.signal,
    })
    await rejection('ABORTED', asking)
    expect(fleet.shards.map(({ calls }) => calls.length)).toEqual([1, 0, 0])
  })

  test('before the start it asks nobody', async () => {
    const fleet = fleetOf(rowsOf(1))
    await rejection('ABORTED', fanOut(fleet.executor, select, { signal: AbortSignal.abort() }))
    expect(fleet.shards[0]?.calls).toHaveLength(0)
  })
})

test('no more shards are asked at once than said', async () => {
  for (const concurrency of [1, 3, 16]) {
    let inside = 0
    let most = 0
    const answer: Answer = async () => {
      most = Math.max(most, ++inside)
      await new Promise((resolve) => setImmediate(resolve))
      inside--
      return [{ v: 1 }]
    }
    const fleet = fleetOf(...Array.from({ length: 20 }, () => answer))
    expect(await values(fleet, { concurrency })).toHaveLength(20)
    expect(most).toBe(concurrency)
  }
})

describe('limits', () => {
  test('more rows than maxRows are an error, never cut', async () => {
    const fleet = fleetOf(rowsOf(1, 2), rowsOf(3))
    expect(await values(fleet, { maxRows: 3 })).toHaveLength(3)
    await rejection('INVALID_ARGUMENT', fanOut(fleet.executor, select, { maxRows: 2 }))
    const one = fleetOf(rowsOf(1, 2, 3, 4, 5, 6, 7), rowsOf())
    await rejection('INVALID_ARGUMENT', fanOut(one.executor, select, { limit: 6, maxRows: 3 }))
  })

  test('each shard is asked for no more rows than the answer can need', async () => {
    const fleet = fleetOf(rowsOf(1))
    await fanOut(fleet.executor, select, { orderBy: [{ column: 'v' }], limit: 3, offset: 2 })
    expect(fleet.shards[0]?.calls.at(-1)?.statement.sql).toMatch(/limit 6$/)
  })
})

describe('hostile options are typed errors, and no shard is asked', () => {
  const fields = ['limit', 'offset', 'concurrency', 'timeoutMs', 'maxRows', 'onFailure'] as const
  test.each(fields)('%s', async (field) => {
    const fleet = fleetOf(rowsOf(1))
    for (const value of hostile.filter((value) => value !== undefined && value !== null))
      await rejection('INVALID_ARGUMENT', fanOut(fleet.executor, select, { [field]: value } as FanOutOptions))
    expect(fleet.shards[0]?.calls).toHaveLength(0)
  })

  test('shards and orderBy', async () => {
    const fleet = fleetOf(rowsOf(1))
    const options = [
      { shards: [] },
      ...hostile.map((shard) => ({ shards: [0, shard] })),
      ...hostile.filter((value) => typeof value !== 'string').map((column) => ({ orderBy: [{ column }] })),
    ]
    for (const option of options)
      await rejection('INVALID_ARGUMENT', fanOut(fleet.executor, select, option as FanOutOptions))
    expect(fleet.shards[0]?.calls).toHaveLength(0)
  })

  test('an order by a column that the rows lack, or spell otherwise, is an error', async () => {
    const fleet = fleetOf(rowsOf(2), rowsOf(1))
    await rejection('INVALID_ARGUMENT', fanOut(fleet.executor, select, { orderBy: [{ column: 'V' }] }))
  })
})

test('an executor that is not sharded has no shards to ask', async () => {
  await rejection('INVALID_ARGUMENT', fanOut(fakeExecutor(), select))
})

test('rows have the type that is asked for', () => {
  type Row = { id: bigint }
  expectTypeOf(fanOut<Row>).returns.resolves.toEqualTypeOf<FanOutResult<Row>>()
})
