import { expect, test } from 'vitest'
import { textOf } from '../src/text-of.ts'

test.each(['', 'a', 'a ', 'é', 'e\u0301', '\u20ac', '\u{1f600}', '\ufeffa', '\0', '\u{10ffff}'])(
  'text and its UTF-8 are the same text: %j',
  (text) => {
    expect(textOf(text)).toBe(text)
    expect(textOf(new TextEncoder().encode(text))).toBe(text)
  },
)

test('bytes that are no text are an error, not another text', () => {
  expect(() => textOf(new Uint8Array([0xff]))).toThrow(TypeError)
})
