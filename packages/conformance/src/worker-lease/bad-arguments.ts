import assert from 'node:assert/strict'
import type { Layout } from '@shard/core'
import { ann, type Check, narrow, rejects, users } from './check.ts'

const badTexts: unknown[] = ['', 'a\0', '\ud800', 'a'.repeat(86), 5, 5n, null, undefined, {}, ['a']]
const badFamilies: unknown[] = [...badTexts, 'Users', '1users', "users'", 'users/1', 'users '.trimStart()]
const badTtls: unknown[] = [
  999,
  1_800_001,
  0,
  -1,
  1_000.5,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  '5',
  5n,
  null,
]
const noObjects: unknown[] = [undefined, null, 5, 'users', 5n, true]

export function badArguments(test: Check): void {
  test('are refused before anything is taken', async (host) => {
    const workers = host.workers(users)
    for (const owner of badTexts)
      await rejects(workers.acquire({ ...ann, owner: owner as string }), 'INVALID_ARGUMENT')
    for (const ttlMs of [...badTtls, undefined])
      await rejects(workers.acquire({ ...ann, ttlMs: ttlMs as number }), 'INVALID_ARGUMENT')
    for (const none of noObjects) await rejects(workers.acquire(none as never), 'INVALID_ARGUMENT')
    const lease = await workers.acquire(ann)
    assert.deepEqual([lease.worker, lease.epoch], [0, 1n])
    await lease.close()
  })

  test('of the whole are refused when it is made', async (host) => {
    const refused = (options: unknown): void =>
      assert.throws(() => host.workers(options as typeof users), { code: 'INVALID_ARGUMENT' })
    for (const family of badFamilies) refused({ ...users, family })
    for (const none of noObjects.filter((value) => typeof value !== 'string')) refused(none)
    for (const maxClockSkewMs of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, '5', 5n, null])
      refused({ ...users, maxClockSkewMs })
    for (const layout of [null, 5, {}, { ...narrow, workerBits: 11 }, { ...narrow, timeBits: 60 }])
      refused({ ...users, layout: layout as Layout })
  })
}
