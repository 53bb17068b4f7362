import assert from 'node:assert/strict'
import { legalTransitions, statuses } from '@shard/registry'
import { type Check, need, rejects, shard } from './check.ts'

export function transitions(test: Check): void {
  test('every legal change is made, noted, and raises the version; every other is refused', async (registry) => {
    const pairs = statuses.flatMap((from) => statuses.map((to) => [from, to] as const))
    for (const [id, [from, to]] of pairs.entries()) {
      const before = await registry.register(shard(id, from))
      if (!legalTransitions[from].includes(to)) {
        await rejects(registry.transition(id, from, to), 'INVALID_ARGUMENT')
        assert.deepEqual(await need(registry, id), before)
        continue
      }
      assert.equal(await registry.transition(id, from, to, { by: 'ann', reason: 'a test' }), true)
      const { status, version } = await need(registry, id)
      assert.deepEqual({ status, version }, { status: to, version: 2n })
      const [registered, changed] = await registry.history(id)
      assert.deepEqual([registered?.from, registered?.to, registered?.version], [null, from, 1n])
      assert.deepEqual(
        { ...changed, atMs: 0 },
        { shard: id, version: 2n, from, to, by: 'ann', reason: 'a test', atMs: 0 },
      )
      assert.ok(changed && registered && changed.atMs >= registered.atMs)
    }
  })

  test('a change from another status, or at another version, changes nothing', async (registry) => {
    const before = await registry.register(shard(1, 'active'))
    assert.equal(await registry.transition(1, 'standby', 'active'), false)
    assert.equal(await registry.transition(1, 'active', 'sealed', { expectedVersion: 2n }), false)
    assert.deepEqual(await need(registry, 1), before)
    assert.equal((await registry.history(1)).length, 1)
    assert.equal(await registry.transition(1, 'active', 'sealed', { expectedVersion: 1n }), true)
  })

  test('an unknown shard is NOT_FOUND', async (registry) => {
    await rejects(registry.transition(1, 'active', 'sealed'), 'NOT_FOUND')
    await rejects(registry.history(1), 'NOT_FOUND')
    await rejects(registry.measure(1, 1n), 'NOT_FOUND')
    await rejects(registry.recordSizeError(1, new Error('x')), 'NOT_FOUND')
    await rejects(registry.setCapacity(1, { maxBytes: 1n }), 'NOT_FOUND')
    await rejects(registry.swapActive(null, 1, 1n), 'NOT_FOUND')
    await registry.register(shard(2, 'standby'))
    await rejects(registry.swapActive(1, 2, 1n), 'NOT_FOUND')
    assert.equal((await need(registry, 2)).version, 1n)
  })

  test('of 20 that make one change at once, one is told that it did', async (registry) => {
    await registry.register(shard(1, 'active'))
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => registry.transition(1, 'active', 'sealed', { by: `racer ${i}` })),
    )
    const winner = answers.indexOf(true)
    assert.equal(answers.filter(Boolean).length, 1)
    const lines = await registry.history(1)
    assert.deepEqual(
      lines.map(({ to, by }) => [to, by]),
      [
        ['active', null],
        ['sealed', `racer ${winner}`],
      ],
    )
  })

  test('sealing has its instant, which is cleared when the shard may admit again', async (registry) => {
    await registry.register(shard(1, 'active'))
    await registry.transition(1, 'active', 'sealed')
    assert.notEqual((await need(registry, 1)).sealedAtMs, null)
    await registry.transition(1, 'sealed', 'disabled')
    assert.notEqual((await need(registry, 1)).sealedAtMs, null)
    await registry.transition(1, 'disabled', 'active')
    assert.equal((await need(registry, 1)).sealedAtMs, null)
  })
}
