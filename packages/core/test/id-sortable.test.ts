import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_ID } from '../src/id.ts'
import { formatIdSortable, parseIdSortable } from '../src/id-sortable.ts'
import { hostile } from './hostile.ts'
import { refusal } from './refusal.ts'

const anyId = fc.oneof(fc.bigInt(1n, MAX_ID), fc.bigInt(1n, 40n), fc.bigInt(MAX_ID - 40n, MAX_ID))

test.each([
  [1n, '0000000000001'],
  [31n, '000000000000Z'],
  [32n, '0000000000010'],
  [31525197391593473n, '00W0000000001'],
  [MAX_ID, '7ZZZZZZZZZZZZ'],
])('%d is %s', (id, text) => {
  expect(formatIdSortable(id)).toBe(text)
  expect(parseIdSortable(text)).toBe(id)
})

test('texts come back as their ids, and sort as the ids do, as strings and as bytes', () => {
  fc.assert(
    fc.property(anyId, anyId, (a, b) => {
      const [x, y] = [formatIdSortable(a), formatIdSortable(b)]
      expect(parseIdSortable(x)).toBe(a)
      expect(x).toHaveLength(13)
      expect(x < y).toBe(a < b)
      expect(Math.sign(Buffer.compare(Buffer.from(x), Buffer.from(y)))).toBe(a < b ? -1 : a > b ? 1 : 0)
    }),
  )
})

describe('nothing else is read', () => {
  test('of all texts, only those that are written', () => {
    const digits = [...'0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_ ']
    const texts = fc.string({ unit: fc.constantFrom(...digits), minLength: 12, maxLength: 14 })
    fc.assert(
      fc.property(texts, (text) => {
        let id: bigint
        try {
          id = parseIdSortable(text)
        } catch {
          return
        }
        expect(formatIdSortable(id)).toBe(text)
      }),
      { numRuns: 2_000 },
    )
  })
  test.each([
    '0000000000000',
    '8000000000000',
    '000000000001',
    '00000000000001',
    '000000000000z',
    '000000000000I',
    '000000000000L',
    '000000000000O',
    '000000000000U',
    '00000-0000001',
    '0000000000001\n',
    ' 000000000001',
  ])('%j', (text) => {
    refusal('INVALID_ARGUMENT', () => parseIdSortable(text))
  })
  test('hostile values', () => {
    for (const value of [1, 1n, ...hostile])
      refusal('INVALID_ARGUMENT', () => parseIdSortable(value as string))
    for (const value of [0n, MAX_ID + 1n, 1, '1', ...hostile])
      refusal('INVALID_ARGUMENT', () => formatIdSortable(value as bigint))
  })
})
