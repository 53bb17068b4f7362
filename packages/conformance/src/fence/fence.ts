import assert from 'node:assert/strict'
import { fencedExecutor, identified, shardFence, writeIdentity } from '@shard/sql'
import { ann, bob, type Check, handOver, identity, insert, rejects, setUp } from './check.ts'

export function fence(test: Check): void {
  test('a new database belongs to nobody', async (host) => {
    const executor = await setUp(host)
    assert.deepEqual(await shardFence(executor).read(), { token: 0n, nonce: null, owned: false })
  })

  test('a raise is a compare-and-set that makes the token larger and takes the database', async (host) => {
    const executor = await setUp(host)
    await handOver(executor, ann)
    const fenceOf = shardFence(executor)
    for (const stale of [0n, 1n, 3n]) assert.equal(await fenceOf.raise(stale), false)
    assert.deepEqual(await fenceOf.read(), { ...ann, owned: true })
    assert.equal(await fenceOf.raise(2n), true)
    assert.equal(await fenceOf.raise(2n), false)
    assert.deepEqual(await fenceOf.read(), { token: 3n, nonce: null, owned: false })
    // Nobody owns it: a raise still never lowers the token.
    assert.equal(await fenceOf.raise(3n), true)
    assert.equal((await fenceOf.read()).token, 4n)
  })

  test('a grant is a compare-and-set that makes the token larger and gives the database', async (host) => {
    const fenceOf = shardFence(await setUp(host))
    assert.equal(await fenceOf.grant(1n, ann), false)
    assert.equal(await fenceOf.grant(0n, ann), true)
    assert.equal(await fenceOf.grant(0n, bob), false)
    assert.deepEqual(await fenceOf.read(), { ...ann, owned: true })
    assert.equal(await fenceOf.grant(2n, { token: 9_007_199_254_740_993n, nonce: 'far' }), true)
    assert.equal((await fenceOf.read()).token, 9_007_199_254_740_993n)
  })

  test('of 16 racers with one token, one raises and one is granted', async (host) => {
    const executor = await setUp(host)
    const racers = Array.from({ length: 16 }, (_, i) => shardFence(i % 2 ? executor : host.connect()))
    const raised = await Promise.all(racers.map((racer) => racer.raise(0n)))
    assert.equal(raised.filter(Boolean).length, 1)
    const granted = await Promise.all(
      racers.map((racer, i) => racer.grant(1n, { token: 2n, nonce: `racer ${i}` })),
    )
    assert.equal(granted.filter(Boolean).length, 1)
    const { token, nonce, owned } = await shardFence(executor).read()
    assert.deepEqual([token, nonce, owned], [2n, `racer ${granted.indexOf(true)}`, true])
  })

  test('identity and fence leave each other alone', async (host) => {
    const executor = await setUp(host)
    await handOver(executor, ann)
    await writeIdentity(executor, identity)
    assert.deepEqual(await shardFence(executor).read(), { ...ann, owned: true })
    assert.equal(await identified(executor, identity), executor)
  })

  test('a database without an identity has no fence', async (host) => {
    const executor = host.connect()
    await rejects(shardFence(executor).read(), 'WRONG_DATABASE')
    await rejects(shardFence(executor).raise(0n), 'WRONG_DATABASE')
    await rejects(shardFence(executor).grant(0n, ann), 'WRONG_DATABASE')
    await rejects(insert(fencedExecutor(executor, ann), 1), 'WRONG_DATABASE')
  })

  test('tokens and nonces out of range are refused, and change nothing', async (host) => {
    const executor = await setUp(host)
    const fenceOf = shardFence(executor)
    for (const bad of [-1n, 2n ** 63n - 1n, 0, '0', null, undefined]) {
      await rejects(fenceOf.raise(bad as bigint), 'INVALID_ARGUMENT')
      await rejects(fenceOf.grant(bad as bigint, ann), 'INVALID_ARGUMENT')
      assert.throws(() => fencedExecutor(executor, { ...ann, token: bad as bigint }), {
        code: 'INVALID_ARGUMENT',
      })
    }
    for (const nonce of ['', 'a\0', '\ud800', 'a'.repeat(64), 5, null, undefined])
      await rejects(fenceOf.grant(0n, { ...ann, nonce: nonce as string }), 'INVALID_ARGUMENT')
    for (const expected of [2n, 3n]) await rejects(fenceOf.grant(expected, ann), 'INVALID_ARGUMENT')
    assert.equal((await fenceOf.read()).token, 0n)
  })
}
