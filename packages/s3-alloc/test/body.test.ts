import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CounterBody, formatBody, parseBody } from '../src/s3/body.ts'

const MAX = 2n ** 63n - 1n
const text = fc.string({ minLength: 1, unit: 'grapheme' })
const bodies: fc.Arbitrary<CounterBody> = fc.record({
  value: fc.bigInt(0n, MAX),
  generation: text,
  home: fc.option(text),
  nonce: text,
})

test('a body is read as it was written', () => {
  fc.assert(
    fc.property(bodies, (body) => {
      expect(parseBody(formatBody(body))).toEqual(body)
    }),
  )
})

describe('the older format', () => {
  test('is a bare number, with a line feed or not', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, MAX), fc.constantFrom('', '\n'), (value, end) => {
        const body = { value, generation: null, home: null, nonce: null }
        expect(parseBody(`${value}${end}`)).toEqual(body)
        expect(formatBody(body)).toBe(`${value}`)
      }),
    )
  })
})

test.each([
  '',
  ' ',
  '\n',
  '-1',
  '01',
  '1.5',
  '0x10',
  '1e3',
  ' 12',
  '12 ',
  '12\n\n',
  `${MAX + 1n}`,
  '9'.repeat(20),
  'null',
  '[]',
  '{}',
  '"5"',
  'ok',
  '{"format":2,"value":"1","generation":"g","home":null,"nonce":"n"}',
  '{"format":1,"value":1,"generation":"g","home":null,"nonce":"n"}',
  '{"format":1,"value":"","generation":"g","home":null,"nonce":"n"}',
  `{"format":1,"value":"${MAX + 1n}","generation":"g","home":null,"nonce":"n"}`,
  '{"format":1,"value":"1","generation":"","home":null,"nonce":"n"}',
  '{"format":1,"value":"1","generation":"g","home":5,"nonce":"n"}',
  '{"format":1,"value":"1","generation":"g","home":null}',
])('%j is no counter, and the reason is told', (body) => {
  expect(parseBody(body)).toEqual(expect.stringMatching(/^its? /))
})

test('no text is read as something else', () => {
  fc.assert(
    fc.property(fc.string(), (any) => {
      const body = parseBody(any)
      return typeof body === 'string' || formatBody(body) === any.replace(/\n$/, '')
    }),
  )
})
