import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mix64 } from '../src/hash.ts'
import { SlotLocator } from '../src/slot-locator.ts'
import { unevenness } from './chi-square.ts'
import { hostile } from './hostile.ts'
import { refusal } from './refusal.ts'

test('a key goes to the shard of its slot', () => {
  const slots = Array.from({ length: 64 }, (_, i) => (i * 7) % 10)
  const locator = new SlotLocator({ slots, version: 3n })
  fc.assert(
    fc.property(fc.bigInt(0n, 2n ** 64n - 1n), (key) => {
      const slot = Number(mix64(key) % 64n)
      expect(locator.slotOf(key)).toBe(slot)
      expect(locator.locate(key)).toBe(slots[slot])
    }),
  )
  expect(locator.version).toBe(3n)
})

describe('spread', () => {
  test('deals 4,096 slots in turn, so that no shard has more than one slot more', () => {
    const locator = SlotLocator.spread([4, 9, 2])
    expect(locator.slots).toHaveLength(4_096)
    expect(locator.slots.slice(0, 4)).toEqual([4, 9, 2, 4])
    expect(locator.version).toBe(1n)
    const shards = Array.from({ length: 30_000 }, (_, i) => [4, 9, 2].indexOf(locator.locate(BigInt(i))))
    expect(Math.abs(unevenness(shards, 3))).toBeLessThan(4)
  })

  test('a shard that is named twice counts once', () => {
    expect(SlotLocator.spread([1, 1, 2], 4).slots).toEqual([1, 2, 1, 2])
  })

  test('refuses no shards, more than slots, and what is none', () => {
    for (const shards of [[], [1, 2, 3], [-1], [0.5], ['1']])
      refusal('INVALID_ARGUMENT', () => SlotLocator.spread(shards as number[], 2))
    for (const value of hostile) {
      refusal('INVALID_ARGUMENT', () => SlotLocator.spread(value as number[]))
      if (value !== undefined) refusal('INVALID_ARGUMENT', () => SlotLocator.spread([1], value as number))
    }
  })
})

describe('it never changes', () => {
  test('neither through what it was made of nor through what it shows', () => {
    const slots = [1, 2]
    const locator = new SlotLocator({ slots, version: 1n })
    slots[0] = 9
    expect(locator.slots).toEqual([1, 2])
    expect(() => (locator.slots as number[]).push(3)).toThrow(TypeError)
  })

  test('another version comes from withSlots, for slots that are known to be empty', () => {
    const first = new SlotLocator({ slots: [1, 2, 3], version: 1n })
    const second = first.withSlots([1, 5, 3], [1])
    expect(second).toMatchObject({ slots: [1, 5, 3], version: 2n })
    expect(first).toMatchObject({ slots: [1, 2, 3], version: 1n })
    expect(second.withSlots(Uint16Array.of(1, 5, 3)).version).toBe(3n)
  })

  test('a slot that may hold data keeps its shard', () => {
    const locator = new SlotLocator({ slots: [1, 2, 3], version: 1n })
    refusal('INVALID_ARGUMENT', () => locator.withSlots([1, 5, 3]))
    refusal('INVALID_ARGUMENT', () => locator.withSlots([1, 5, 3], [0, 2]))
    refusal('INVALID_ARGUMENT', () => locator.withSlots([1, 5, 4], [1]))
  })

  test('there are as many slots for ever', () => {
    const locator = new SlotLocator({ slots: [1, 2, 3], version: 1n })
    for (const slots of [[1, 2], [1, 2, 3, 4], []])
      refusal('INVALID_ARGUMENT', () => locator.withSlots(slots, [0, 1, 2, 3]))
  })
})

test('hostile values are typed errors', () => {
  const locator = new SlotLocator({ slots: [1], version: 1n })
  for (const value of hostile) {
    refusal('INVALID_ARGUMENT', () => new SlotLocator({ slots: value as number[], version: 1n }))
    refusal('INVALID_ARGUMENT', () => new SlotLocator({ slots: [1, value as number], version: 1n }))
    refusal('INVALID_ARGUMENT', () => new SlotLocator({ slots: [1], version: value as bigint }))
    refusal('INVALID_ARGUMENT', () => new SlotLocator(value as never))
    refusal('INVALID_ARGUMENT', () => locator.locate(value as bigint))
    refusal('INVALID_ARGUMENT', () => locator.slotOf(value as bigint))
    refusal('INVALID_ARGUMENT', () => locator.withSlots(value as number[]))
    if (value !== undefined) refusal('INVALID_ARGUMENT', () => locator.withSlots([2], value as number[]))
  }
})
