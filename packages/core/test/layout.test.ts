import { describe, expect, test } from 'vitest'
import { checkLayout, checkSameLayout, expiresAtMs, type Layout, layouts } from '../src/layout.ts'
import { hostile } from './hostile.ts'
import { refusal } from './refusal.ts'

test.each([
  { name: 'default' as const, sizes: [12, 42, 10, 5, 64], until: '2163-05-15T07:35:11.104Z' },
  { name: 'safeInteger' as const, sizes: [8, 41, 4, 0, 53], until: '2093-09-06T15:47:35.552Z' },
  { name: 'wide' as const, sizes: [18, 41, 5, 0, 64], until: '2093-09-06T15:47:35.552Z' },
])('the layout $name', ({ name, sizes, until }) => {
  const { shardBits, timeBits, counterBits, workerBits, idBits, epochMs } = checkLayout(layouts[name])
  expect([shardBits, timeBits, counterBits, workerBits, idBits]).toEqual(sizes)
  expect(epochMs).toBe(Date.parse('2024-01-01T00:00:00Z'))
  expect(new Date(expiresAtMs(layouts[name])).toISOString()).toBe(until)
})

describe('checkLayout', () => {
  test('gives a copy that cannot change', () => {
    const mine = { ...layouts.default }
    const checked = checkLayout(mine)
    mine.epochMs = 0
    expect(checked).toEqual(layouts.default)
    expect(Object.isFrozen(checked)).toBe(true)
  })

  test.each([
    { shardBits: 0 },
    { shardBits: 25 },
    { timeBits: 0 },
    { timeBits: 53 },
    { counterBits: 0 },
    { counterBits: 23 },
    { workerBits: -1 },
    { workerBits: 11 },
    { epochMs: -1 },
    { epochMs: 0.5 },
    { idBits: 63 },
    { idBits: 53 },
    { shardBits: 13 },
  ])('refuses %o', (change) => {
    refusal('INVALID_ARGUMENT', () => checkLayout({ ...layouts.default, ...change } as Layout))
  })

  test('refuses hostile values in every field, and instead of a layout', () => {
    for (const value of hostile) {
      for (const field of ['shardBits', 'timeBits', 'counterBits', 'workerBits', 'epochMs', 'idBits'])
        refusal('INVALID_ARGUMENT', () => checkLayout({ ...layouts.default, [field]: value } as Layout))
      refusal('INVALID_ARGUMENT', () => checkLayout(value as Layout))
    }
  })
})

test('another split is a mismatch, whatever field it is in', () => {
  checkSameLayout({ ...layouts.default }, layouts.default)
  for (const field of ['shardBits', 'timeBits', 'counterBits', 'workerBits', 'epochMs', 'idBits'] as const) {
    const other = { ...layouts.default, [field]: layouts.default[field] - 1 } as Layout
    const { message } = refusal('LAYOUT_MISMATCH', () => checkSameLayout(other, layouts.default))
    expect(message).toContain(field)
  }
})
