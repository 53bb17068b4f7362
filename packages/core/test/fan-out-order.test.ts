import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type OrderBy, orderTerms } from '../src/fan-out/order.ts'
import { compareRows } from './compare-rows.ts'
import { hostile } from './hostile.ts'
import { refusal } from './refusal.ts'

const compare = (...orderBy: OrderBy[]) => compareRows(orderTerms(orderBy))

function sorted(values: readonly unknown[], order: Omit<OrderBy, 'column'> = {}): unknown[] {
  const rows = values.map((v) => ({ v }))
  return rows.sort(compare({ column: 'v', ...order })).map(({ v }) => v)
}

describe('integers', () => {
  // [A6]
  const ids = [9n, 10n, 100n, 2n ** 53n, 2n ** 53n + 1n, 10n ** 18n]
  test('sort by value, up and down', () => {
    expect(sorted([...ids].reverse())).toEqual(ids)
    expect(sorted(ids, { direction: 'desc' })).toEqual([...ids].reverse())
  })
  test('and alike as numbers and bigints', () => {
    expect(sorted([3, 2n, 1.5, -1n])).toEqual([-1n, 1.5, 2n, 3])
  })
})

describe('text', () => {
  test('sorts by its UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 20 }), (texts) => {
        const byBytes = [...texts].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
        expect(sorted(texts)).toEqual(byBytes)
      }),
    )
  })
  test('what lies outside the BMP comes after U+FFxx, though its UTF-16 units are smaller', () => {
    const texts = ['\ud7ff', '\ue000', '\uff5e', '\uffff', '\u{10000}', '\u{1f600}', '\u{10ffff}']
    expect(sorted([...texts].reverse())).toEqual(texts)
    expect([...texts].sort()).not.toEqual(texts)
  })
  test('no case, no accents, no padding are folded', () => {
    expect(sorted(['é', 'e', 'a ', 'a', 'B', 'b', ''])).toEqual(['', 'B', 'a', 'a ', 'b', 'e', 'é'])
  })
})

test('blobs sort by their bytes, the shorter first', () => {
  const blobs = [[], [0], [0, 1], [1], [127], [128], [255, 0]].map((bytes) => Uint8Array.from(bytes))
  expect(sorted([...blobs].reverse())).toEqual(blobs)
})

test('types sort as in SQLite: numbers, text, blobs', () => {
  const blob = Uint8Array.of(0)
  expect(sorted([blob, 'a', 10n, 1.5, '1'])).toEqual([1.5, 10n, '1', 'a', blob])
})

describe('nulls', () => {
  test.each<[Omit<OrderBy, 'column'>, unknown[]]>([
    [{}, [null, null, 1n, 2n]],
    [{ direction: 'desc' }, [2n, 1n, null, null]],
    [{ nulls: 'last' }, [1n, 2n, null, null]],
    [{ direction: 'desc', nulls: 'first' }, [null, null, 2n, 1n]],
  ])('with %o', (order, expected) => {
    expect(sorted([2n, null, 1n, null], order)).toEqual(expected)
  })
})

test('later columns decide ties only', () => {
  const byBoth = compare({ column: 'a' }, { column: 'b', direction: 'desc' })
  const rows = [
    { a: 1, b: 1 },
    { a: 0, b: 1 },
    { a: 1, b: null },
    { a: 1, b: 2 },
  ]
  expect(rows.sort(byBoth)).toEqual([
    { a: 0, b: 1 },
    { a: 1, b: 2 },
    { a: 1, b: 1 },
    { a: 1, b: null },
  ])
})

test('hostile orders are typed errors', () => {
  for (const value of hostile) {
    if (typeof value !== 'string' || value === '')
      refusal('INVALID_ARGUMENT', () => orderTerms([{ column: value as string }]))
    if (value === undefined) continue
    refusal('INVALID_ARGUMENT', () => orderTerms([{ column: 'a', direction: value as 'asc' }]))
    refusal('INVALID_ARGUMENT', () => orderTerms([{ column: 'a', nulls: value as 'first' }]))
  }
  refusal('INVALID_ARGUMENT', () => orderTerms([{ column: 'a', direction: 'ASC' as 'asc' }]))
})
