import { expect, test } from 'vitest'
import { systemClock } from '../src/clock.ts'

test('the system clock is the host clock; the monotonic one does not go back', () => {
  const before = Date.now()
  const now = systemClock.now()
  expect(now).toBeGreaterThanOrEqual(before)
  expect(now).toBeLessThanOrEqual(Date.now())
  const first = systemClock.monotonicMs()
  expect(systemClock.monotonicMs()).toBeGreaterThanOrEqual(first)
})
