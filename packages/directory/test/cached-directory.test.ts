import type { Clock, Id } from '@shard/core'
import { describe, expect, test } from 'vitest'
import { cachedDirectory } from '../src/cached-directory.ts'
import { memoryFates } from '../src/claim-fates.ts'
import type { Directory } from '../src/directory.ts'
import { memoryDirectory } from '../src/memory.ts'

const ANN: Id = 1n << 52n
const BOB: Id = (1n << 53n) + 1n

interface Watched {
  readonly directory: Directory
  /** What the directory itself was asked. */
  readonly asked: unknown[]
  /** Holds the answers back until the function that it gives is called. */
  hold(): () => void
}

function watched(): Watched {
  const inner = memoryDirectory({ fates: memoryFates() })
  const asked: unknown[] = []
  let held: Promise<void> = Promise.resolve()
  const directory: Directory = {
    ...inner,
    async resolve(key, options) {
      asked.push(key)
      const id = await inner.resolve(key, options)
      await held
      return id
    },
    async resolveMany(keys, options) {
      asked.push(keys)
      const ids = await inner.resolveMany(keys, options)
      await held
      return ids
    },
  }
  const hold = (): (() => void) => {
    let release = (): void => {}
    held = new Promise((resolve) => {
      release = resolve
    })
    return release
  }
  return { directory, asked, hold }
}

class Hand implements Clock {
  ms = 1_000
  now(): number {
    return this.ms
  }
  monotonicMs(): number {
    return this.ms
  }
}

test('an owner is asked for once, under each spelling that is used', async () => {
  const { directory, asked } = watched()
  const cached = cachedDirectory(directory)
  await cached.claim('ann', ANN)
  for (const key of ['ann', 'ann', 'ANN', 'ann', 'ANN']) expect(await cached.resolve(key)).toBe(ANN)
  expect(asked).toEqual(['ann', 'ANN'])
  expect(await cached.resolve('ann', { fresh: true })).toBe(ANN)
  expect(asked).toHaveLength(3)
})

test('what has no owner, or one that is pending, is asked for each time', async () => {
  const { directory, asked } = watched()
  const cached = cachedDirectory(directory)
  await cached.claim('bob', BOB, { ttlMs: 60_000, token: 't' })
  for (const key of ['eve', 'eve', 'bob', 'bob']) expect(await cached.resolve(key)).toBe(null)
  expect(asked).toHaveLength(4)
  expect(await cached.confirm('bob', 't')).toBe(true)
  expect(await cached.resolve('bob')).toBe(BOB)
})

test('an answer is kept for its time, counted from the question', async () => {
  const { directory, asked, hold } = watched()
  const clock = new Hand()
  const cached = cachedDirectory(directory, { ttlMs: 100, clock })
  await directory.claim('ann', ANN)
  const release = hold()
  const slow = cached.resolve('ann')
  clock.ms += 60
  release()
  expect(await slow).toBe(ANN)
  clock.ms += 40
  expect(await cached.resolve('ann')).toBe(ANN)
  expect(asked).toHaveLength(1)
  clock.ms += 1
  await directory.move('ann', ANN, BOB)
  expect(await cached.resolve('ann')).toBe(BOB)
  expect(asked).toHaveLength(2)
})

describe('what is changed through the cache is seen at once, under every spelling', () => {
  const changes: Record<string, [(directory: Directory) => Promise<unknown>, Id | null]> = {
    released: [(directory) => directory.release('ANN', ANN), null],
    moved: [(directory) => directory.move('ANN', ANN, BOB), BOB],
    'put by force': [(directory) => directory.put('ANN', BOB, { force: true }), BOB],
  }
  test.each(Object.entries(changes))('%s', async (_name, [change, owner]) => {
    const cached = cachedDirectory(watched().directory)
    await cached.claim('ann', ANN)
    expect([...(await cached.resolveMany(['ann', 'Ann'])).values()]).toEqual([ANN, ANN])
    await change(cached)
    expect([await cached.resolve('ann'), await cached.resolve('Ann')]).toEqual([owner, owner])
  })

  test.each(Object.entries(changes))(
    '%s while an older answer is on its way',
    async (_name, [change, owner]) => {
      for (const many of [false, true]) {
        const { directory, hold } = watched()
        const cached = cachedDirectory(directory)
        await cached.claim('ann', ANN)
        const release = hold()
        const old = many ? cached.resolveMany(['ann']) : cached.resolve('ann')
        await Promise.resolve()
        await change(cached)
        release()
        expect(await old).toEqual(many ? new Map([['ann', ANN]]) : ANN)
        expect(await cached.resolve('ann')).toBe(owner)
      }
    },
  )
})

test('a change that fails drops what it may have changed', async () => {
  const { directory, asked } = watched()
  const cached = cachedDirectory({ ...directory, release: () => Promise.reject(new Error('cut')) })
  await cached.claim('ann', ANN)
  await cached.resolve('ann')
  await expect(cached.release('ann', ANN)).rejects.toThrow('cut')
  await cached.resolve('ann')
  expect(asked).toHaveLength(2)
})

test('many keys ask for those only that are not known', async () => {
  const { directory, asked } = watched()
  const cached = cachedDirectory(directory)
  await cached.claim('ann', ANN)
  await cached.claim('bob', BOB)
  await cached.resolve('ann')
  const found = await cached.resolveMany(['bob', 'ann', 'eve'])
  expect([...found]).toEqual([
    ['bob', BOB],
    ['ann', ANN],
    ['eve', null],
  ])
  expect(asked).toEqual(['ann', ['bob', 'eve']])
  expect((await cached.resolveMany(['ann', 'bob'])).size).toBe(2)
  expect(asked).toHaveLength(2)
})

test('it keeps no more than it may, and forgets what was not asked for the longest', async () => {
  const { directory, asked } = watched()
  const cached = cachedDirectory(directory, { max: 2 })
  for (const [i, key] of ['a', 'b', 'c'].entries()) await cached.claim(key, BigInt(i + 1))
  for (const key of ['a', 'b', 'a', 'c', 'a', 'b']) await cached.resolve(key)
  expect(asked).toEqual(['a', 'b', 'c', 'b'])
})

test('sizes and times out of range are refused', () => {
  const { directory } = watched()
  for (const options of [{ max: 0 }, { max: 1.5 }, { ttlMs: 0 }, { ttlMs: Number.NaN }])
    expect(() => cachedDirectory(directory, options)).toThrow(
      expect.objectContaining({ code: 'INVALID_ARGUMENT' }),
    )
})
