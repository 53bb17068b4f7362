import { ClosedError, QueryFailedError } from '@shard/core'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { type Identity, identified, writeIdentity } from '../src/shard-meta.ts'
import { fakeDatabase } from './fake-database.ts'
import { rejection } from './refusal.ts'

const shard: Identity = { cluster: 'c1', family: 'users', shard: 3 }
const others: Identity[] = [
  { ...shard, shard: 4 },
  { ...shard, shard: 'global' },
  { ...shard, family: 'orders' },
  { ...shard, cluster: 'c2' },
  { ...shard, incarnation: 2n },
]

describe('writeIdentity', () => {
  test.each([shard, { ...shard, shard: 0 }, { ...shard, shard: 'global' } as Identity])(
    'writes %o, and again changes nothing',
    async (identity) => {
      const { executor, meta } = fakeDatabase()
      await writeIdentity(executor, identity)
      await writeIdentity(executor, identity)
      expect(meta).toHaveLength(1)
      expect(await identified(executor, identity)).toBe(executor)
    },
  )

  test.each(others)('refuses a database that is another: %o', async (other) => {
    const { executor, meta } = fakeDatabase()
    await writeIdentity(executor, other)
    await rejection('WRONG_DATABASE', writeIdentity(executor, shard))
    expect(meta).toHaveLength(1)
    await identified(executor, other)
  })
})

describe('identified', () => {
  test.each(others)('refuses a database that is another: %o', async (other) => {
    const { executor } = fakeDatabase()
    await writeIdentity(executor, other)
    const error = await rejection('WRONG_DATABASE', identified(executor, shard))
    expect(error).toMatchObject({ retryable: false, outcome: 'not-applied' })
  })

  test('refuses a database without the row, and without the table', async () => {
    const { executor, failures } = fakeDatabase()
    await rejection('WRONG_DATABASE', identified(executor, shard))
    const missing = new QueryFailedError(new Error('no such table: shard_meta'))
    failures.set('shard_meta', missing)
    expect((await rejection('WRONG_DATABASE', identified(executor, shard))).cause).toBe(missing)
  })

  test('a database that cannot be asked is not called another', async () => {
    const { executor, failures } = fakeDatabase()
    failures.set('shard_meta', new ClosedError('the database'))
    await rejection('CLOSED', identified(executor, shard))
  })
})

test('hostile identities are refused before any I/O', async () => {
  const { executor, failures } = fakeDatabase()
  failures.set('', new Error('I/O'))
  const hostile: unknown[] = [
    ...['', 'a\0', '\ud800', 'x'.repeat(64), 5, null, undefined].map((cluster) => ({ ...shard, cluster })),
    ...['', 'Users', 'a-b', 1n, null, undefined].map((family) => ({ ...shard, family })),
    ...[-1, 0.5, Number.NaN, 2 ** 24, '3', 3n, null, undefined].map((number) => ({
      ...shard,
      shard: number,
    })),
    ...[0n, -1n, 2n ** 63n, 1, '1', null].map((incarnation) => ({ ...shard, incarnation })),
  ]
  for (const identity of hostile) {
    await rejection('INVALID_ARGUMENT', writeIdentity(executor, identity as Identity))
    await rejection('INVALID_ARGUMENT', identified(executor, identity as Identity))
  }
})

test('a shard is a number or the global database', () => {
  expectTypeOf<Identity['shard']>().toEqualTypeOf<number | 'global'>()
})
