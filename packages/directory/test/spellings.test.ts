import { expect, test } from 'vitest'
import { exactKey, usernameKey } from '../src/natural-key.ts'
import { spellingsBy } from '../src/spellings.ts'

const older = { version: 1, fold: exactKey }
const newer = { version: 2, fold: usernameKey }

test('a bare normaliser is version 1, and its only spelling', () => {
  const { isSingle, of, all, primaryOf } = spellingsBy(usernameKey)
  expect(isSingle).toBe(true)
  expect(of('Ann')).toEqual([{ key: 'ann', normaliser: 1, isLock: false }])
  expect(all('Ann')).toEqual(of('Ann'))
  expect(primaryOf('Ann')).toBe('ann')
})

test('the newer spelling is a lock until its normaliser is primary; the oldest is first', () => {
  const before = spellingsBy([older, newer])
  expect(before.all('Ann')).toEqual([
    { key: 'Ann', normaliser: 1, isLock: false },
    { key: 'ann', normaliser: 2, isLock: true },
  ])
  expect(before.of('Ann').map(({ key }) => key)).toEqual(['Ann'])
  const after = spellingsBy([newer, older])
  expect(after.of('Ann').map(({ key }) => key)).toEqual(['Ann', 'ann'])
  expect(after.primaryOf('Ann')).toBe('ann')
})

test('one spelling of both is one row, of the newest normaliser, and no lock', () => {
  for (const live of [
    [older, newer],
    [newer, older],
  ])
    expect(spellingsBy(live).all('ann')).toEqual([{ key: 'ann', normaliser: 2, isLock: false }])
})

test('only live versions are known', () => {
  const { versioned } = spellingsBy([newer, older])
  expect([versioned(1), versioned(2), versioned(3)]).toEqual([older, newer, null])
})
