import { checkText } from '@shard/core'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkCapacity, checkInput, errorText } from '../src/registry-arguments.ts'

test('the text of any error is text that every engine stores', () => {
  fc.assert(
    fc.property(fc.anything(), fc.string({ unit: 'binary', maxLength: 2_000 }), (value, message) => {
      for (const error of [value, message, new Error(message), new Error(`${message}\ud800\0`)])
        expect(checkText('an error', errorText(error), 500)).toBeTruthy()
    }),
  )
})

test('what is not given of a capacity is not in the result, and null is given', () => {
  expect(checkCapacity({})).toEqual({})
  expect(checkCapacity({ maxBytes: undefined, admitThreshold: undefined })).toEqual({})
  expect(checkCapacity({ maxBytes: null })).toEqual({ maxBytes: null })
})

test('undefined and null in an input stand for the default', () => {
  const base = { id: 1, name: 'one', status: 'standby' } as const
  const empty = { databaseId: undefined, region: undefined, sizeBytes: undefined, maxBytes: undefined }
  expect(checkInput({ ...base, ...empty })).toEqual(checkInput(base))
  expect(checkInput({ ...base, databaseId: null, maxBytes: null })).toEqual(checkInput(base))
})
