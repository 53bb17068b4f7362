import type { LeaseFolder, LeaseRecord } from '@shard/sql'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holdersOf, inOrder } from '../src/worker-choice.ts'

const NOW = 1_000_000_000
const HOUR = 3_600_000
const WINDOW = 35_000

interface Facts {
  readonly worker: number
  readonly markMs: number
  readonly isHeld?: boolean
}

function folder(facts: readonly Facts[], floorMarkMs = 0): LeaseFolder {
  const records = facts.map(
    ({ worker, markMs, isHeld = false }): LeaseRecord => ({
      name: `worker/users/${worker}`,
      owner: isHeld ? `owner ${worker}` : null,
      epoch: 1n,
      isHeld,
      expiresAtMs: NOW + 5,
      markMs,
      readAtMs: NOW,
    }),
  )
  return { records, floorMarkMs, readAtMs: NOW }
}

function order(seen: LeaseFolder, count: number): number[] {
  return [...inOrder(seen, { count, nowMs: NOW, maxClockSkewMs: 2 * HOUR, windowMs: WINDOW })]
}

describe('the order in which numbers are tried', () => {
  test('from the lowest on, if nothing leads', () => {
    expect(order(folder([]), 3)).toEqual([0, 1, 2])
    expect(order(folder([{ worker: 1, markMs: NOW }]), 3)).toEqual([0, 1, 2])
  })

  test('those that lead come after, the one with the smallest mark first', () => {
    const facts = [
      { worker: 0, markMs: NOW + 9 },
      { worker: 1, markMs: NOW + 1 },
      { worker: 2, markMs: NOW + 9 },
    ]
    expect(order(folder(facts), 4)).toEqual([3, 1, 0, 2])
  })

  test('never one that is held, nor one beyond the layout', () => {
    const facts = [
      { worker: 0, markMs: 0, isHeld: true },
      { worker: 7, markMs: 0 },
      { worker: 8, markMs: NOW + 1 },
    ]
    expect(order(folder(facts), 2)).toEqual([1])
  })

  test('what ends more than an hour beyond any clock is left out', () => {
    const latestMs = NOW + 3 * HOUR - WINDOW
    const facts = [
      { worker: 0, markMs: latestMs },
      { worker: 1, markMs: latestMs + 1 },
    ]
    expect(order(folder(facts), 2)).toEqual([0])
  })

  test('after a bump all lead, those without a row as far as it says, and count from there', () => {
    const floor = NOW + 30 * HOUR
    const facts = [
      { worker: 1, markMs: floor },
      { worker: 2, markMs: floor + 5 },
      { worker: 3, markMs: floor + 2 * HOUR },
    ]
    expect(order(folder(facts, floor), 5)).toEqual([1, 0, 4, 2])
  })

  test('each free number once, and the smaller mark first among those that lead', () => {
    const anyFacts = fc.uniqueArray(
      fc.record({
        worker: fc.nat(40),
        markMs: fc.oneof(fc.nat(NOW), fc.integer({ min: NOW, max: NOW + HOUR })),
        isHeld: fc.boolean(),
      }),
      { selector: ({ worker }) => worker },
    )
    const anyFloor = fc.constantFrom(0, NOW + HOUR / 2)
    fc.assert(
      fc.property(anyFacts, anyFloor, (facts, floor) => {
        const tried = order(folder(facts, floor), 32)
        const rows = new Map(facts.map((row) => [row.worker, row]))
        const free = Array.from({ length: 32 }, (_, i) => i).filter((i) => !rows.get(i)?.isHeld)
        expect([...tried].sort((a, b) => a - b)).toEqual(free)
        const leads = tried.map((i) => Math.max(0, (rows.get(i)?.markMs ?? floor) - NOW))
        expect(leads).toEqual([...leads].sort((a, b) => a - b))
      }),
    )
  })
})

test('who holds what', () => {
  const facts = [
    { worker: 10, markMs: 0, isHeld: true },
    { worker: 2, markMs: 0, isHeld: true },
    { worker: 3, markMs: 0 },
  ]
  expect(holdersOf(folder(facts))).toEqual([
    { worker: 2, owner: 'owner 2', expiresAtMs: NOW + 5 },
    { worker: 10, owner: 'owner 10', expiresAtMs: NOW + 5 },
  ])
})
