import fc from 'fast-check'
import { expect, test } from 'vitest'
import { retryBusy } from '../../src/sqlite/busy-retry.ts'
import { ManualClock } from '../manual-clock.ts'
import { rejection } from '../refusal.ts'

const busy = Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })

interface Waiting {
  readonly clock: ManualClock
  readonly waits: number[]
  readonly delay: (ms: number) => Promise<void>
}

function waiting(): Waiting {
  const clock = new ManualClock(0)
  const waits: number[] = []
  const delay = async (ms: number): Promise<void> => {
    waits.push(ms)
    clock.elapsedMs += ms
  }
  return { clock, waits, delay }
}

/** Busy so many times, then done. */
function busyTimes(count: number): { attempt: () => string; made: () => number } {
  let made = 0
  const attempt = (): string => {
    if (made++ < count) throw busy
    return 'done'
  }
  return { attempt, made: () => made }
}

test('tries again after growing, bounded waits', async () => {
  const { clock, waits, delay } = waiting()
  expect(await retryBusy({ clock, delay, random: () => 0.5 }, busyTimes(8).attempt)).toBe('done')
  expect(waits).toEqual([1, 2, 4, 8, 16, 25, 25, 25])
})

test('gives up when the time is over, and says BUSY, which can be retried', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(2_000),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      async (busyTimeoutMs, spread) => {
        const { clock, waits, delay } = waiting()
        const { attempt } = busyTimes(Number.POSITIVE_INFINITY)
        const policy = { busyTimeoutMs, clock, delay, random: () => spread }
        const error = await rejection('BUSY', retryBusy(policy, attempt))
        expect(error).toMatchObject({ retryable: true, outcome: 'not-applied', cause: busy })
        expect(clock.elapsedMs).toBeGreaterThanOrEqual(busyTimeoutMs)
        expect(clock.elapsedMs).toBeLessThan(busyTimeoutMs + 40)
        expect(waits.length).toBeLessThan(busyTimeoutMs / 10 + 10)
      },
    ),
  )
})

test('with no time to wait it tries once', async () => {
  const { clock, waits, delay } = waiting()
  const { attempt, made } = busyTimes(1)
  await rejection('BUSY', retryBusy({ busyTimeoutMs: 0, clock, delay }, attempt))
  expect([made(), waits]).toEqual([1, []])
})

test('another error is not tried again', async () => {
  const { delay, waits } = waiting()
  const attempt = (): never => {
    throw Object.assign(new Error('x'), { code: 'SQLITE_FULL' })
  }
  await rejection('DISK_FULL', retryBusy({ delay }, attempt))
  expect(waits).toEqual([])
})

test('an abort ends the wait; an aborted call is not attempted', async () => {
  const controller = new AbortController()
  const { attempt, made } = busyTimes(Number.POSITIVE_INFINITY)
  const failing = rejection('ABORTED', retryBusy({}, attempt, controller.signal))
  controller.abort()
  await failing
  const before = made()
  await rejection('ABORTED', retryBusy({}, attempt, controller.signal))
  expect(made()).toBe(before)
})
