import fc from 'fast-check'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { formatId, type Id, MAX_ID, parseId, type RoutingKey, type ShardId } from '../src/id.ts'
import { hostile } from './hostile.ts'
import { refusal } from './refusal.ts'

describe('parseId', () => {
  test('takes what formatId wrote, and the bigint itself', () => {
    fc.assert(
      fc.property(fc.bigInt(1n, MAX_ID), (id) => {
        expect(parseId(formatId(id))).toBe(id)
        expect(parseId(id)).toBe(id)
      }),
    )
  })

  test.each(['', ' 12 ', '0x10', '-0', '-1', '+1', '1e3', '0', '01', '1.0', '1n', '١', '12\n'])(
    'refuses the text %j',
    (text) => {
      refusal('INVALID_ARGUMENT', () => parseId(text))
    },
  )

  test('refuses one past the end, as text and as bigint', () => {
    expect(parseId('9223372036854775807')).toBe(MAX_ID)
    refusal('INVALID_ARGUMENT', () => parseId('9223372036854775808'))
    refusal('INVALID_ARGUMENT', () => parseId(MAX_ID + 1n))
    refusal('INVALID_ARGUMENT', () => parseId(0n))
  })

  test('refuses any number and anything else', () => {
    for (const value of [1, 2 ** 31, ...hostile]) refusal('INVALID_ARGUMENT', () => parseId(value as never))
  })
})

test('formatId refuses what is not an id', () => {
  for (const value of [0n, MAX_ID + 1n, 1, '1', ...hostile])
    refusal('INVALID_ARGUMENT', () => formatId(value as never))
})

test('ids and keys are bigint, shard numbers are number', () => {
  expectTypeOf<Id>().toEqualTypeOf<bigint>()
  expectTypeOf<RoutingKey>().toEqualTypeOf<bigint>()
  expectTypeOf<ShardId>().toEqualTypeOf<number>()
  expectTypeOf(parseId).parameter(0).toEqualTypeOf<string | bigint>()
})
