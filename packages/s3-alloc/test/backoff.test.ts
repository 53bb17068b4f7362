import fc from 'fast-check'
import { expect, test } from 'vitest'
import { backoffMs } from '../src/backoff.ts'

test('a wait is anything from 0 to a bound that doubles up to the cap', () => {
  expect([1, 2, 3, 8].map((attempt) => backoffMs(attempt, () => 1))).toEqual([20, 40, 80, 2_000])
  expect(backoffMs(5, () => 0)).toBe(0)
})

test('no number of attempts overflows', () => {
  const options = fc.record({ baseMs: fc.nat(), capMs: fc.nat() })
  fc.assert(
    fc.property(
      fc.integer({ min: 1 }),
      options,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (attempt, given, at) => {
        const waitMs = backoffMs(attempt, () => at, given)
        return waitMs >= 0 && waitMs <= given.capMs
      },
    ),
  )
  expect(backoffMs(5_000, () => 1)).toBe(2_000)
})
