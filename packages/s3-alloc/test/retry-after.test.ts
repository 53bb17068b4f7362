import { expect, test } from 'vitest'
import { retryAfterMs } from '../src/retry-after.ts'

const nowMs = Date.UTC(2026, 0, 1)

test.each([
  ['0', 0],
  ['120', 120_000],
  [' 5 ', 5_000],
  ['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
  ['Wed, 31 Dec 2025 23:59:59 GMT', 0],
])('%s asks for %d ms', (header, ms) => {
  expect(retryAfterMs(header, nowMs)).toBe(ms)
})

test.each([undefined, '', '-1', '1.5', '1e3', 'soon', '2026-01-01', '9'.repeat(20)])(
  '%s asks for nothing',
  (header) => {
    expect(retryAfterMs(header, nowMs)).toBeNull()
  },
)
