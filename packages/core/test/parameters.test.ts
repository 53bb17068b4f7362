import { expect, test } from 'vitest'
import { checkParameters } from '../src/parameters.ts'
import { refusal } from './refusal.ts'

test('takes what every engine stores as it is', () => {
  checkParameters([])
  checkParameters([
    null,
    '',
    "o'brien",
    '\u{1f600}',
    0,
    -0,
    1.5,
    2 ** 60,
    Number.POSITIVE_INFINITY,
    true,
    false,
  ])
  checkParameters([-(1n << 63n), (1n << 64n) - 1n, new Uint8Array(3), Buffer.from('x')])
})

test.each([
  [undefined],
  [Number.NaN],
  ['\ud800'],
  ['a\udc00'],
  [1n << 64n],
  [-(1n << 63n) - 1n],
  [new Date(0)],
  [[1]],
  [{}],
  [Object.create(null)],
  [Symbol('x')],
  [() => 1],
  [new ArrayBuffer(1)],
])('refuses %o, naming its position', (value) => {
  expect(refusal('INVALID_ARGUMENT', () => checkParameters([1, value])).message).toContain('parameter 2')
})

test('a hole in the list is refused like undefined', () => {
  refusal('INVALID_ARGUMENT', () => checkParameters(new Array(1)))
})
