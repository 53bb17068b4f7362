import { describe, expect, test } from 'vitest'
import { checkBigint, checkInteger, checkNumber, checkSignal, checkText, show } from '../src/argument.ts'
import { hostile } from './hostile.ts'
import { refusal } from './refusal.ts'

describe('checkInteger', () => {
  test('takes both ends and what is between', () => {
    for (const value of [0, 1, 5]) expect(checkInteger('n', value, 0, 5)).toBe(value)
  })
  test.each([-1, 6, 0.5, '1', 1n, Number.NaN, Number.POSITIVE_INFINITY])('refuses %s', (value) => {
    const { message } = refusal('INVALID_ARGUMENT', () => checkInteger('the count', value, 0, 5))
    expect(message).toContain('the count')
    expect(message).toContain('from 0 to 5')
  })
})

test('checkNumber takes fractions and infinity, not NaN', () => {
  expect(checkNumber('n', 0.5, 0, 1)).toBe(0.5)
  expect(checkNumber('n', Number.POSITIVE_INFINITY, 0, Number.POSITIVE_INFINITY)).toBe(
    Number.POSITIVE_INFINITY,
  )
  for (const value of [Number.NaN, -0.1, 1.1, '0.5', 1n])
    refusal('INVALID_ARGUMENT', () => checkNumber('n', value, 0, 1))
})

test('checkBigint takes a bigint within the range only', () => {
  expect(checkBigint('n', 5n, 5n, 5n)).toBe(5n)
  for (const value of [4n, 6n, 5, '5']) refusal('INVALID_ARGUMENT', () => checkBigint('n', value, 5n, 5n))
})

describe('checkText', () => {
  test.each(["o'brien", '\u{1f600}', 'a'.repeat(10)])('takes %s', (value) => {
    expect(checkText('t', value, 10)).toBe(value)
  })
  test.each(['', 'a'.repeat(11), 'a\0', '\ud83d', '\ude00\ud83d', 5, null])('refuses %j', (value) => {
    refusal('INVALID_ARGUMENT', () => checkText('t', value, 10))
  })
})

test('checkSignal throws once the signal is aborted, with its reason', () => {
  const controller = new AbortController()
  checkSignal(undefined)
  checkSignal(controller.signal)
  controller.abort('why')
  expect(refusal('ABORTED', () => checkSignal(controller.signal)).cause).toBe('why')
})

test('any value can be shown, and briefly', () => {
  for (const value of hostile) expect(show(value).length).toBeLessThan(100)
  expect(show('x'.repeat(1e6)).length).toBeLessThan(100)
  expect(show(5n)).toBe('5n')
  expect(show('5')).toBe('"5"')
})
