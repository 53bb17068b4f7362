import assert from 'node:assert/strict'
import { isShardError, MAX_ID } from '@shard/core'
import { ANN, BOB, type Check } from './check.ts'

/** What is refused before any I/O. */
export function badArguments(check: Check): void {
  const hostile = ['', ' \t\u200B', 'a\0b', 'a\uD800', '\uDC00b', 'k'.repeat(513)]

  check('text that cannot be a key is refused by every method', async (directory) => {
    for (const key of [...hostile, undefined, null, 7, 7n, {}] as string[]) {
      const calls = [
        directory.resolve(key),
        directory.lookup(key),
        directory.resolveMany(['good', key]),
        directory.claim(key, ANN),
        directory.release(key, ANN),
        directory.move(key, ANN, BOB),
        directory.put(key, ANN),
        directory.confirm(key, 'token'),
        directory.settle(key, 1n),
        directory.respell(key),
        ...(key === undefined ? [] : [directory.list({ after: key })]),
      ]
      await Promise.all(
        calls.map((call) => assert.rejects(call, { code: 'INVALID_KEY', outcome: 'not-applied' })),
      )
    }
  })

  check('ids, versions, tokens and limits out of range are refused', async (directory) => {
    const bad = { code: 'INVALID_ARGUMENT', outcome: 'not-applied' }
    for (const id of [0n, -1n, MAX_ID + 1n, 1, '1', null, Number.NaN] as bigint[]) {
      const calls = [
        directory.claim('ann', id),
        directory.put('ann', id),
        directory.release('ann', id),
        directory.move('ann', id, ANN),
        directory.move('ann', ANN, id),
        directory.release('ann', ANN, id),
        directory.keysOf(id),
        directory.settle('ann', id),
      ]
      await Promise.all(calls.map((call) => assert.rejects(call, bad)))
    }
    for (const token of ['', 'a\0', 'x'.repeat(65), 1] as string[])
      await assert.rejects(directory.claim('ann', ANN, { token }), bad)
    for (const token of ['', 'a\0', 'x'.repeat(65), 1] as string[])
      await assert.rejects(directory.confirm('ann', token), bad)
    for (const ttlMs of [0, -1, 1.5, 86_400_001, Number.NaN, '1'] as number[])
      await assert.rejects(directory.claim('ann', ANN, { ttlMs }), bad)
    for (const olderThanMs of [-1, 0.5, Number.NaN])
      await assert.rejects(directory.list({ olderThanMs }), bad)
    for (const limit of [0, -1, 1.5, 10_001, Number.NaN]) await assert.rejects(directory.list({ limit }), bad)
    for (const many of [null, 'ann', new Set(['ann'])] as unknown as string[][])
      await assert.rejects(directory.resolveMany(many), bad)
    assert.deepEqual(await directory.list(), [])
  })

  check('a bad namespace or normaliser is refused when the directory is made', async (_directory, host) => {
    const isBad = (error: unknown): boolean => isShardError(error, 'INVALID_ARGUMENT')
    for (const namespace of ['', 'n'.repeat(64), 'a\0', '\uD800', 3] as string[])
      assert.throws(() => host.directory({ namespace }), isBad)
    const fold = (text: string): string => text
    for (const normaliser of ['emailKey', [], [fold], [{ version: 0, fold }], [{ version: 1 }]] as never[])
      assert.throws(() => host.directory({ normaliser }), isBad)
    const twice = [
      { version: 2, fold },
      { version: 2, fold },
    ]
    assert.throws(() => host.directory({ normaliser: twice }), isBad)
  })

  check('what a normaliser returns is checked too', async (_directory, host) => {
    for (const made of [...hostile, null] as string[]) {
      const directory = host.directory({ namespace: 'odd', normaliser: () => made })
      await assert.rejects(directory.claim('ann', ANN), { code: 'INVALID_KEY' })
    }
  })

  check('an aborted call ends with ABORTED and writes nothing', async (directory) => {
    await directory.claim('bob', BOB)
    const signal = AbortSignal.abort()
    const calls = [
      directory.claim('ann', ANN, { signal }),
      directory.put('ann', ANN, { signal }),
      directory.release('bob', BOB, undefined, { signal }),
      directory.move('bob', BOB, ANN, undefined, { signal }),
      directory.resolve('bob', { signal }),
      directory.lookup('bob', { signal }),
      directory.resolveMany(['bob'], { signal }),
      directory.keysOf(BOB, { signal }),
      directory.list({ signal }),
      directory.claim('ann', ANN, { signal, ttlMs: 1_000 }),
      directory.confirm('bob', 'token', { signal }),
      directory.settle('bob', 1n, { signal }),
      directory.respell('bob', { signal }),
    ]
    await Promise.all(calls.map((call) => assert.rejects(call, { code: 'ABORTED', outcome: 'not-applied' })))
    assert.deepEqual(
      (await directory.list()).map(({ key, id }) => [key, id]),
      [['bob', BOB]],
    )
  })
}
