import { describe, expect, test } from 'vitest'
import { type Catalog, staticCatalog } from '../src/catalog.ts'
import type { Executor } from '../src/executor.ts'
import { type FakeExecutor, fakeExecutor } from './fake-executor.ts'
import { hostile } from './hostile.ts'
import { refusal } from './refusal.ts'

function catalogOf(count: number): { catalog: Catalog; all: FakeExecutor[] } {
  const all = Array.from({ length: count + 1 }, () => fakeExecutor())
  const [global, ...shards] = all as [FakeExecutor, ...FakeExecutor[]]
  // Not in order, and 10 would sort before 2 as text.
  const numbered = shards.map((shard, i) => [[10, 2, 0, 7][i] as number, shard] as const)
  return { catalog: staticCatalog({ global, shards: new Map(numbered) }), all }
}

describe('staticCatalog', () => {
  test('finds each shard by its number; the numbers ascend', () => {
    const { catalog, all } = catalogOf(4)
    expect(catalog.shardIds()).toEqual([0, 2, 7, 10])
    expect(catalog.shard(10)).toBe(all[1])
    expect(catalog.global).toBe(all[0])
  })

  test('a shard that it lacks is an error, never another database', () => {
    const { catalog } = catalogOf(4)
    expect(refusal('UNKNOWN_SHARD', () => catalog.shard(1))).toMatchObject({ shard: 1 })
    for (const id of [-1, 2 ** 30, '2', ...hostile])
      refusal('INVALID_ARGUMENT', () => catalog.shard(id as number))
  })

  test('later changes of the map do not reach it', () => {
    const shards = new Map<number, Executor>([[1, fakeExecutor()]])
    const catalog = staticCatalog({ global: fakeExecutor(), shards })
    shards.set(2, fakeExecutor())
    refusal('UNKNOWN_SHARD', () => catalog.shard(2))
  })

  test.each([-1, 0.5, Number.NaN, 2 ** 24, '1', 1n])('refuses the shard number %s', (id) => {
    const shards = new Map([[id as number, fakeExecutor()]])
    refusal('INVALID_ARGUMENT', () => staticCatalog({ global: fakeExecutor(), shards }))
  })
})

describe('close', () => {
  test('closes every database once, also one that serves two shards', async () => {
    const both = fakeExecutor()
    const global = fakeExecutor()
    await staticCatalog({
      global,
      shards: new Map([
        [1, both],
        [2, both],
      ]),
    }).close()
    expect([global.closed(), both.closed()]).toEqual([1, 1])
  })

  test.each([
    ['rejects', () => Promise.reject(new Error('broken'))],
    [
      'throws at once',
      () => {
        throw new Error('broken')
      },
    ],
  ])('a database whose close %s stops no other, and its error is thrown', async (_, close) => {
    const { all } = catalogOf(3)
    const shards = new Map<number, Executor>([[0, { ...fakeExecutor(), close }]])
    for (const [i, shard] of all.slice(1).entries()) shards.set(i + 1, shard)
    const catalog = staticCatalog({ global: all[0] as Executor, shards })
    await expect(catalog.close()).rejects.toThrow('broken')
    expect(all.map((executor) => executor.closed())).toEqual([1, 1, 1, 1])
  })
})
