import assert from 'node:assert/strict'
import { statuses } from '@shard/registry'
import { type Check, need, rejects, shard } from './check.ts'

export function reservations(test: Check): void {
  test('keys are reserved on an active shard at its version, and leave no line in its history', async (registry) => {
    await registry.register(shard(1, 'active'))
    assert.equal(await registry.reserve(1, 256, 1n), true)
    assert.equal(await registry.reserve(1, 256, 1n), false)
    assert.equal(await registry.reserve(1, 2 ** 31 - 1, 2n), true)
    const { reservedKeys, reservedEver, version } = await need(registry, 1)
    assert.deepEqual([reservedKeys, reservedEver, version], [2n ** 31n + 255n, 2n ** 31n + 255n, 3n])
    assert.equal((await registry.history(1)).length, 1)
  })

  test('on any other shard nothing is reserved', async (registry, sibling) => {
    for (const [id, status] of statuses.entries()) {
      if (status === 'active') continue
      const before = await registry.register(shard(id, status))
      assert.equal(await registry.reserve(id, 1, 1n), false)
      assert.deepEqual(await need(registry, id), before)
    }
    await sibling.register(shard(9, 'active'))
    await rejects(registry.reserve(9, 1, 1n), 'NOT_FOUND')
  })

  test('of 20 racers with one version one gets the block', async (registry) => {
    await registry.register(shard(1, 'active'))
    const answers = await Promise.all(Array.from({ length: 20 }, () => registry.reserve(1, 5, 1n)))
    assert.equal(answers.filter(Boolean).length, 1)
    assert.equal((await need(registry, 1)).reservedKeys, 5n)
  })

  test('a measurement drops what was reserved before it began, and nothing else', async (registry) => {
    await registry.register(shard(1, 'active'))
    await registry.reserve(1, 10, 1n)
    const { reservedEver: reservedBefore } = await need(registry, 1)
    await registry.reserve(1, 7, 2n)
    await registry.measure(1, 100n, { reservedBefore })
    assert.deepEqual(reservedOf(await need(registry, 1)), [7n, 17n, 100n])
    // The same once more: a reply may have been lost.
    await registry.measure(1, 100n, { reservedBefore })
    assert.deepEqual(reservedOf(await need(registry, 1)), [7n, 17n, 100n])
    await registry.measure(1, 130n)
    assert.deepEqual(reservedOf(await need(registry, 1)), [0n, 17n, 130n])
  })

  test('a measurement that began before the one on file is not written down', async (registry) => {
    await registry.register(shard(1, 'active'))
    await registry.reserve(1, 10, 1n)
    await registry.measure(1, 100n, { reservedBefore: 10n })
    const before = await need(registry, 1)
    await registry.measure(1, 5n, { reservedBefore: 0n })
    assert.deepEqual(await need(registry, 1), before)
    await rejects(registry.measure(2, 5n, { reservedBefore: 0n }), 'NOT_FOUND')
  })

  test('a failed measurement, a seal and a swap leave reservations alone', async (registry) => {
    await registry.register(shard(1, 'active'))
    await registry.register(shard(2, 'standby'))
    await registry.reserve(1, 10, 1n)
    await registry.recordSizeError(1, 'no route')
    assert.equal(await registry.swapActive(1, 2, 3n), true)
    assert.equal((await need(registry, 1)).reservedKeys, 10n)
    assert.equal((await need(registry, 2)).reservedKeys, 0n)
  })

  test('more than was ever reserved drops all', async (registry) => {
    await registry.register(shard(1, 'active'))
    await registry.reserve(1, 3, 1n)
    await registry.measure(1, 8n, { reservedBefore: 2n ** 62n })
    assert.deepEqual(reservedOf(await need(registry, 1)), [0n, 3n, 8n])
  })
}

type Reserved = { reservedKeys: bigint; reservedEver: bigint; sizeBytes: bigint }

function reservedOf({ reservedKeys, reservedEver, sizeBytes }: Reserved): readonly bigint[] {
  return [reservedKeys, reservedEver, sizeBytes]
}
