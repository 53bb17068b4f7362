import assert from 'node:assert/strict'
import { BlockAllocator, inspect, probe, repair } from '@shard/s3-alloc'
import type { Check } from './check.ts'

export function allocating(test: Check): void {
  test('ids are 1-based, each given once over all allocators, and rise in each', async (counter, host) => {
    const allocators = [
      new BlockAllocator({ counter, blockSize: 7 }),
      new BlockAllocator({ counter: await host.counter(), blockSize: 3 }),
    ]
    await allocators[0]?.initialize()
    const lists = await Promise.all(
      allocators.map(async (allocator) => {
        const ids = [await allocator.allocate(), ...(await allocator.allocateMany(10))]
        return [...ids, ...(await Promise.all(Array.from({ length: 9 }, () => allocator.allocate())))]
      }),
    )
    for (const ids of lists) assert.deepEqual(ids, [...ids].sort(byValue))
    assert.equal(new Set(lists.flat()).size, 40)
    assert.ok(lists.flat().includes(1n))
    for (const allocator of allocators) await allocator.close()
  })

  test('a range is nobody else’s', async (counter) => {
    const allocator = new BlockAllocator({ counter, blockSize: 5 })
    await allocator.initialize({ startAt: 1_000n })
    const [ids, range] = await Promise.all([allocator.allocateMany(5), allocator.reserve(50)])
    const later = await allocator.allocateMany(50)
    assert.equal(range.to - range.from, 50n)
    assert.ok([...ids, ...later].every((id) => id >= 1_000n && (id < range.from || id >= range.to)))
    await allocator.close()
  })

  test('nothing is given from a counter that was not made, and it is made once', async (counter, host) => {
    const allocator = new BlockAllocator({ counter })
    await assert.rejects(allocator.allocate(), { code: 'COUNTER_MISSING' })
    assert.equal(await counter.load(), null)
    await allocator.initialize({ startAt: 5n })
    const other = new BlockAllocator({ counter: await host.counter() })
    await assert.rejects(other.initialize(), { code: 'COUNTER_EXISTS' })
    assert.equal(await allocator.allocate(), 5n)
    for (const one of [allocator, other]) await one.close()
  })

  test('the last block is cut, and after it the sequence is exhausted', async (counter) => {
    const allocator = new BlockAllocator({ counter, blockSize: 10, max: 15n })
    await allocator.initialize()
    assert.deepEqual(await allocator.allocateMany(12), ids(1, 12))
    await assert.rejects(allocator.allocateMany(4), { code: 'EXHAUSTED' })
    await assert.rejects(allocator.reserve(1), { code: 'EXHAUSTED' })
    assert.deepEqual(await allocator.allocateMany(3), ids(13, 15))
    await assert.rejects(allocator.allocate(), { code: 'EXHAUSTED' })
    await allocator.close()
  })

  test('an operator sees it, and raises but never lowers it', async (counter) => {
    assert.equal((await inspect(counter)).state, 'missing')
    await repair(counter, { atLeast: 100n, generation: 'g' })
    assert.equal((await repair(counter, { atLeast: 50n })).after.state, 'ok')
    const found = await inspect(counter)
    assert.ok(found.state === 'ok')
    assert.deepEqual([found.value, found.generation], [100n, 'g'])
  })

  test('it passes its own probe, which leaves it as it was', async (counter) => {
    if (!counter.scratch) return
    assert.ok((await probe(counter)).winners <= 1)
    assert.equal(await counter.load(), null)
  })
}

function byValue(a: bigint, b: bigint): number {
  return a < b ? -1 : 1
}

function ids(from: number, to: number): bigint[] {
  return Array.from({ length: to - from + 1 }, (_, i) => BigInt(from + i))
}
