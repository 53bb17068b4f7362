import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkFamily, directoryDatabaseName, shardDatabaseName } from '../src/naming.ts'
import { hostile } from './hostile.ts'
import { refusal } from './refusal.ts'

test('the names of the contract', () => {
  expect(shardDatabaseName('users', 1)).toBe('users_shard_0001')
  expect(shardDatabaseName('users', 12345)).toBe('users_shard_12345')
  expect(directoryDatabaseName('users')).toBe('users_directory')
})

test('every legal family fits 63 bytes with its suffix, and distinct pairs have distinct names', () => {
  const families = fc.stringMatching(/^[a-z][a-z0-9_]{0,47}$/)
  const shards = fc.integer({ min: 0, max: 2 ** 24 - 1 })
  fc.assert(
    fc.property(families, shards, shards, (family, a, b) => {
      expect(Buffer.byteLength(shardDatabaseName(family, a))).toBeLessThanOrEqual(63)
      expect(shardDatabaseName(family, a) === shardDatabaseName(family, b)).toBe(a === b)
    }),
  )
})

test.each([
  'Users',
  '1users',
  '_users',
  'us-ers',
  'us ers',
  'users\n',
  'ü',
  'a'.repeat(49),
  'x;drop table t',
])('refuses the family %j', (family) => {
  refusal('INVALID_ARGUMENT', () => checkFamily(family))
  refusal('INVALID_ARGUMENT', () => directoryDatabaseName(family))
})

test('hostile values are typed errors', () => {
  for (const value of [1n, ...hostile]) {
    refusal('INVALID_ARGUMENT', () => checkFamily(value as string))
    refusal('INVALID_ARGUMENT', () => shardDatabaseName('users', value as number))
  }
})
