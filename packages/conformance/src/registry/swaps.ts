import assert from 'node:assert/strict'
import type { ShardStatus } from '@shard/registry'
import { type Check, fleet, need, statusesOf } from './check.ts'

export function swaps(test: Check): void {
  test('the full shard is sealed with its successor, the standby is active', async (registry) => {
    await fleet(registry, 'active', 'standby')
    assert.equal(await registry.swapActive(0, 1, 1n, { by: 'placer', reason: 'full' }), true)
    const [full, next] = await registry.list()
    assert.deepEqual([full?.status, full?.successorId, full?.version], ['sealed', 1, 2n])
    assert.notEqual(full?.sealedAtMs, null)
    assert.deepEqual([next?.status, next?.successorId, next?.version], ['active', null, 2n])
    for (const id of [0, 1]) {
      const line = (await registry.history(id))[1]
      assert.deepEqual([line?.version, line?.by, line?.reason], [2n, 'placer', 'full'])
    }
  })

  test('if either is no longer so, neither changes', async (registry) => {
    await fleet(registry, 'active', 'standby', 'sealed', 'disabled', 'provisioning', 'active')
    await registry.measure(1, 5n)
    const before = await registry.list()
    assert.equal(await registry.swapActive(0, 1, 2n), false)
    for (const notStandby of [2, 3, 4, 5]) assert.equal(await registry.swapActive(0, notStandby, 1n), false)
    for (const notActive of [2, 3, 4]) assert.equal(await registry.swapActive(notActive, 1, 1n), false)
    assert.deepEqual(await registry.list(), before)
    for (const { id } of before) assert.equal((await registry.history(id)).length, 1)
    assert.equal(await registry.swapActive(0, 1, 1n), true)
  })

  test('null promotes only if no shard is active', async (registry) => {
    await fleet(registry, 'active', 'standby', 'standby')
    assert.equal(await registry.swapActive(null, 1, 1n), false)
    await registry.transition(0, 'active', 'sealed')
    assert.equal(await registry.swapActive(null, 0, 2n), false)
    assert.equal(await registry.swapActive(null, 1, 2n), false)
    assert.equal(await registry.swapActive(null, 1, 1n), true)
    assert.equal(await registry.swapActive(null, 2, 1n), false)
    assert.deepEqual(await statusesOf(registry), ['sealed', 'active', 'standby'])
  })

  test('of 20 racers for one full shard one swaps, whichever standby they chose', async (registry) => {
    await fleet(registry, 'active', ...Array<ShardStatus>(20).fill('standby'))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => registry.swapActive(0, i + 1, 1n, { by: `racer ${i}` })),
    )
    const winner = answers.indexOf(true)
    assert.equal(answers.filter(Boolean).length, 1)
    assert.equal((await need(registry, 0)).successorId, winner + 1)
    assert.equal((await registry.history(0)).length, 2)
    const active = (await registry.list()).filter(({ status }) => status === 'active')
    assert.deepEqual(
      active.map(({ id }) => id),
      [winner + 1],
    )
  })

  test('of 20 racers for an empty fleet one promotes', async (registry) => {
    await fleet(registry, ...Array<ShardStatus>(20).fill('standby'))
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => registry.swapActive(null, i, 1n)))
    assert.equal(answers.filter(Boolean).length, 1)
    assert.equal((await statusesOf(registry)).filter((status) => status === 'active').length, 1)
  })
}
