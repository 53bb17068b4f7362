import { isShardError } from '@shard/core'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  checkKey,
  emailKey,
  exactKey,
  MAX_KEY_BYTES,
  type Normaliser,
  usernameKey,
} from '../src/natural-key.ts'

const normalisers = { emailKey, usernameKey, exactKey }

/** The key, or null where it is refused as one. */
function keyOrNull(normaliser: Normaliser, text: string): string | null {
  try {
    return normaliser(text)
  } catch (error) {
    if (isShardError(error, 'INVALID_KEY')) return null
    throw error
  }
}

/** What is wrong with a normaliser on a text, or null. */
function flaw(normaliser: Normaliser, text: string): string | null {
  const key = keyOrNull(normaliser, text)
  if (key === null) return `refused ${JSON.stringify(text)}`
  if (normaliser(key) !== key) return `not idempotent on ${JSON.stringify(text)}`
  return key === key.normalize('NFC') ? null : `not NFC on ${JSON.stringify(text)}`
}

/** Every code point that a text may contain. */
function* codePoints(matching?: RegExp): Generator<string> {
  for (let point = 1; point <= 0x10ffff; point++) {
    if (point === 0xd800) point = 0xe000
    const character = String.fromCodePoint(point)
    if (matching === undefined || matching.test(character)) yield character
  }
}

/** Unassigned and private characters, most of all there are: nothing folds them. */
const INERT = /[\p{Unassigned}\p{Private_Use}]/u

const places: Record<keyof typeof normalisers, (c: string) => string[]> = {
  usernameKey: (c) => [`${c}ab`, `a${c}b`, `ab${c}`],
  exactKey: (c) => [`${c}ab`, `a${c}b`, `ab${c}`],
  emailKey: (c) => [`${c}a${c}b${c}@x`, `a@${c}x`, `a@x${c}y.z`, `a@x.y${c}`],
}

// Seconds when the machine is idle; the limit is for one that is not.
describe('every code point at the start, the middle and the end', { timeout: 240_000 }, () => {
  test.each(Object.entries(normalisers))('%s', (name, normaliser) => {
    const textsOf = places[name as keyof typeof normalisers]
    const flaws: string[] = []
    for (const c of codePoints()) {
      // The inert ones have all three places in one text.
      for (const text of INERT.test(c) ? [`${c}a${c}b${c}`] : textsOf(c)) {
        const found = flaw(normaliser, text)
        if (found !== null) flaws.push(found)
      }
    }
    expect(flaws).toEqual([])
  })

  test('emailKey, a sample of the inert ones in the domain', () => {
    const inert = [...codePoints(INERT)].filter((_, i) => i % 97 === 0)
    const texts = inert.flatMap((c) => [`a@${c}x`, `a@x${c}y.z`, `a@x.y${c}`])
    expect(texts.map((text) => flaw(emailKey, text)).filter((found) => found !== null)).toEqual([])
  })
})

test('the trimmed set is White_Space and four invisible characters, at both edges', () => {
  const trimmed = [...codePoints()].filter((c) => usernameKey(`a${c}`) === 'a')
  const expected = [...codePoints(/[\p{White_Space}\u00AD\u200B\u2060\uFEFF]/u)]
  expect(trimmed).toEqual(expected)
  for (const c of expected) expect(emailKey(`${c}${c}a@x${c}`)).toBe('a@x')
})

/** Texts made of what normalisers stumble over. */
const trickyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...'aAzZ09.@@@+-_ \u0301\u0307\u0345\u034F\u00DF\u0130\u0131\u03A3\u03C2\u1E9E\u212A\u212B',
      ),
      fc.constantFrom(
        '\u200B',
        '\u200C',
        '\u200D',
        '\u00AD',
        '\uFE0F',
        '\u3002',
        '\uFF20',
        '\uFF0E',
        'xn--',
        '\u1FEE',
        '\u0085',
      ),
      fc.string({ unit: 'binary', minLength: 1, maxLength: 2 }),
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }),
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(''))

test.each(Object.entries(normalisers))(
  '%s: n(n(x)) = n(x) for texts of tricky parts',
  (_name, normaliser) => {
    fc.assert(
      fc.property(trickyText, (text) => {
        const key = keyOrNull(normaliser, text)
        if (key === null) return
        expect(normaliser(key)).toBe(key)
        expect(checkKey(key)).toBe(key)
      }),
      { numRuns: 10_000 },
    )
  },
)

test.each(Object.entries(normalisers))('%s: NFC and NFD are one spelling', (_name, normaliser) => {
  fc.assert(
    fc.property(trickyText, (text) => {
      expect(keyOrNull(normaliser, text.normalize('NFD'))).toBe(keyOrNull(normaliser, text.normalize('NFC')))
    }),
    { numRuns: 5_000 },
  )
})

test.each([
  ['quac\u212A@x', 'quack@x'],
  ['jürgen@x'.normalize('NFD'), 'jürgen@x'.normalize('NFC')],
  ['J\u030C@x', '\u01F0@x'],
  ['\u0130@x', 'i\u0307@x'],
  ['First.Last+Tag@Example.COM', 'first.last+tag@example.com'],
  ['"a@b"@Example.com', '"a@b"@example.com'],
  ['ann@BÜCHER.example', 'ann@xn--bcher-kva.example'],
  ['ann@bu\u0308cher.example', 'ann@xn--bcher-kva.example'],
  ['ann@XN--BCHER-KVA.example', 'ann@xn--bcher-kva.example'],
  ['ann@ｅｘａｍｐｌｅ。com', 'ann@example.com'],
  ['ann@straße.example', 'ann@xn--strae-oqa.example'],
  ['ann@x.ΝΙΚΟΣ', 'ann@x.xn--uxachku'],
  ['ann@x \u034F', 'ann@x'],
  ['ann@[IPv6:2001:DB8::1]', 'ann@[ipv6:2001:db8::1]'],
  ['ann@a\uFFFDB', 'ann@a\uFFFDb'],
  ['No Address', 'no address'],
])('emailKey(%j) is %j', (text, key) => {
  expect(emailKey(text)).toBe(key)
})

test('what is distinct stays distinct', () => {
  expect(emailKey('a.b@x')).not.toBe(emailKey('ab@x'))
  expect(emailKey('a@x')).not.toBe(emailKey('a+b@x'))
  expect(usernameKey('é')).not.toBe(usernameKey('e'))
  expect(usernameKey('ß')).not.toBe(usernameKey('ss'))
  expect(usernameKey('a\u200Db')).not.toBe(usernameKey('ab'))
  for (const [a, b] of [
    ['a', 'A'],
    ['x', 'x '],
    ['ß', 'ss'],
    ['ﬁ', 'fi'],
  ] as const)
    expect(exactKey(a)).not.toBe(exactKey(b))
})

const blank = '\t\n \u0085\u00A0\u00AD\u200B\u2060\u3000\uFEFF'
const hostile: [string, unknown][] = [
  ['empty', ''],
  ['blank', blank],
  ['NUL', 'a\0b'],
  ['a lone high surrogate', 'a\uD800'],
  ['a lone low surrogate', '\uDC00a'],
  ['513 bytes', 'k'.repeat(513)],
  ['513 bytes of two', `k${'é'.repeat(256)}`],
  ['a megabyte of spaces', ' '.repeat(2 ** 20)],
  ...[undefined, null, 7, 7n, true, {}, ['a'], new String('a')].map((value): [string, unknown] => [
    typeof value,
    value,
  ]),
]

describe.each([...Object.entries(normalisers), ['checkKey', checkKey] as const])(
  '%s refuses',
  (_name, normaliser) => {
    test.each(hostile)('%s', (_what, value) => {
      expect(() => normaliser(value as string)).toThrow(
        expect.objectContaining({ code: 'INVALID_KEY', outcome: 'not-applied' }),
      )
    })

    test('nothing of up to 512 bytes', () => {
      for (const filler of ['k', 'é', '\u{1F511}'])
        for (const bytes of [8, 128, 132, 512]) {
          const key = filler.repeat(bytes / new TextEncoder().encode(filler).length)
          expect(normaliser(key)).toBe(key)
        }
      expect(MAX_KEY_BYTES).toBe(512)
    })
  },
)

test('a refusal does not quote the key', () => {
  expect(() => emailKey(`secret${'k'.repeat(600)}@x`)).toThrow(
    expect.not.objectContaining({ message: expect.stringContaining('secret') }),
  )
})
