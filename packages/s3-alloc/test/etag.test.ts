import { expect, test } from 'vitest'
import { EtagSpelling, strongEtag } from '../src/s3/etag.ts'

test.each(['"abc"', 'abc', '"d-2"', '""'])('%s is strong, and spelt as it is', (etag) => {
  expect(strongEtag(etag)).toBe(etag)
  expect(new EtagSpelling().spell(etag)).toBe(etag)
})

test.each([null, '', 'W/"abc"', 'w/"abc"'])('%s is refused', (etag) => {
  expect(() => strongEtag(etag)).toThrow(expect.objectContaining({ code: 'STORE_UNSAFE' }))
})

test('a refusal turns to the other spelling, several at once turn once, and it can turn back', () => {
  const spelling = new EtagSpelling()
  for (let i = 0; i < 3; i++) spelling.refused(false)
  expect(['"abc"', 'abc'].map((etag) => spelling.spell(etag))).toEqual(['abc', '"abc"'])
  spelling.refused(true)
  expect(spelling.spell('"abc"')).toBe('"abc"')
})
