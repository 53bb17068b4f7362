import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DialectName } from '../src/executor.ts'
import { bareText, redactedText } from '../src/sql-text.ts'

const dialects: readonly DialectName[] = ['sqlite', 'postgres', 'mysql']

describe('redactedText', () => {
  test.each<[DialectName, string, string]>([
    [
      'sqlite',
      `select 'a''b', "x 1", [y 2], t1.c2 from t where a = ?1`,
      `select ?, "x 1", [y 2], t1.c2 from t where a = ?1`,
    ],
    ['sqlite', "select 1.5e3, -7, x'41' -- 'ann'\nlimit 5", 'select ?, -?, x?  \nlimit ?'],
    ['postgres', `select E'a\\'b', $1, $t$ it's $t$, $$x$$ /* ann */`, 'select ?, $1, ?, ?  '],
    ['mysql', 'select "a\\"b", `c 1`, 3 # ann\n, 4', 'select ?, `c 1`, ?  \n, ?'],
  ])('on %s: %s', (dialect, sql, expected) => {
    expect(redactedText(sql, dialect)).toBe(expected)
  })

  test('whatever stands in a literal does not come through', () => {
    const secret = 'zebra'
    const around = fc.string({ unit: fc.constantFrom("''", ' ', 'é', '-- ', '/*', '"', '$$') })
    fc.assert(
      fc.property(fc.constantFrom(...dialects), around, around, (dialect, before, after) => {
        const text = redactedText(`select '${before}${secret}${after}' as a`, dialect)
        expect(text).toBe('select ? as a')
      }),
    )
  })

  test('a literal that is left open hides the rest', () => {
    for (const dialect of dialects) expect(redactedText("select 'zebra", dialect)).toBe('select ?')
  })
})

test('hostile text costs no more than its length', () => {
  const parts = ['$a$', "'", '/*', '"\\', "'\\", '1.', "e'", '$', '`', '[', '--']
  for (const dialect of dialects) {
    for (const part of parts) {
      const begin = performance.now()
      redactedText(part.repeat(50_001), dialect)
      expect(performance.now() - begin, `${part} on ${dialect}`).toBeLessThan(5_000)
    }
  }
})

test('bareText leaves the plain words', () => {
  expect(bareText(`update "set" set a = 'x; y' -- ; z\n;`, 'sqlite').split(/\s+/)).toEqual([
    'update',
    'set',
    'a',
    '=',
    ';',
  ])
})
