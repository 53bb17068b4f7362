import { expect, test } from 'vitest'
import { BlockSizes } from '../src/block-sizes.ts'

/** The size after an app has used up blocks at so many ids a second for a while. */
function sizeAfter(sizes: BlockSizes, perSecond: number, blocks: number): number {
  let nowMs = 0
  for (let i = 0; i < blocks; i++) nowMs += (sizes.next(nowMs) / perSecond) * 1_000
  return sizes.size
}

test('a size that does not adapt stays', () => {
  expect(sizeAfter(new BlockSizes(100, null), 1e6, 50)).toBe(100)
})

test('at one id a second the size is the smallest, also after a burst', () => {
  const sizes = new BlockSizes(100, {})
  expect(sizeAfter(sizes, 1, 20)).toBe(100)
  sizeAfter(sizes, 1e6, 20)
  let nowMs = 1e9
  for (let i = 0; i < 20; i++) {
    nowMs += 100_000
    sizes.next(nowMs)
  }
  expect(sizes.size).toBe(100)
})

test('a block comes to last as long as it should, and is never larger than allowed', () => {
  expect(sizeAfter(new BlockSizes(100, {}), 1e6, 50) / 1e6).toBeCloseTo(4, 0)
  expect(sizeAfter(new BlockSizes(100, { maxBlockSize: 5_000 }), 1e6, 50)).toBe(5_000)
})

test('it grows and shrinks by bounded steps', () => {
  const sizes = new BlockSizes(100, {})
  expect([0, 1, 2].map((nowMs) => sizes.next(nowMs))).toEqual([100, 1_600, 25_600])
  expect(sizes.next(1e9)).toBe(12_800)
})
