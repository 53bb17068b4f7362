import assert from 'node:assert/strict'
import { type Check, need, rejects, shard } from './check.ts'

export function sizes(test: Check): void {
  test('a measured size is kept exactly, and ends an error', async (registry) => {
    await registry.register(shard(1, 'active'))
    await registry.recordSizeError(1, new Error('no route to host'))
    await registry.measure(1, 2n ** 53n + 1n, { fileBytes: 2n ** 53n + 3n })
    const { sizeBytes, fileBytes, sizeError, lastSizeCheckAtMs, version } = await need(registry, 1)
    assert.deepEqual([sizeBytes, fileBytes, sizeError], [2n ** 53n + 1n, 2n ** 53n + 3n, null])
    assert.ok(lastSizeCheckAtMs !== null)
    assert.equal(version, 3n)
    await registry.measure(1, 0n)
    assert.equal((await need(registry, 1)).sizeBytes, 0n)
    assert.equal((await registry.history(1)).length, 1)
  })

  test('a failed measurement keeps the last size and says why', async (registry) => {
    await registry.register(shard(1, 'active'))
    await registry.measure(1, 100n, { fileBytes: 200n })
    const measured = await need(registry, 1)
    await registry.recordSizeError(1, new Error('no route to host'))
    assert.deepEqual(await need(registry, 1), { ...measured, sizeError: 'no route to host', version: 3n })
    for (const hostile of [new Error(''), 'a\0b\ud800', 'x'.repeat(9_999), null, `${'x'.repeat(499)}🙂`]) {
      await registry.recordSizeError(1, hostile)
      assert.ok((await need(registry, 1)).sizeError)
    }
  })

  test('capacity: what is given changes, the rest stays, and the history says so', async (registry) => {
    await registry.register({ ...shard(1, 'active'), maxBytes: 100n })
    await registry.setCapacity(1, { admitThreshold: 0.25 }, { by: 'ann' })
    await registry.setCapacity(1, { maxBytes: null, hardThreshold: 1 })
    const { maxBytes, admitThreshold, hardThreshold, version } = await need(registry, 1)
    assert.deepEqual([maxBytes, admitThreshold, hardThreshold, version], [null, 0.25, 1, 3n])
    const lines = (await registry.history(1)).map(({ from, to, by, reason, ...line }) => [
      line.version,
      from,
      to,
      by,
      reason,
    ])
    assert.deepEqual(lines, [
      [1n, null, 'active', null, null],
      [2n, 'active', 'active', 'ann', 'admitThreshold: 0.25'],
      [3n, 'active', 'active', null, 'maxBytes: null, hardThreshold: 1'],
    ])
  })

  test('a schema version is kept exactly, in any status, and the history says so', async (registry) => {
    const version = 2n ** 53n + 1n
    await registry.register(shard(1, 'sealed'))
    await registry.setSchemaVersion(1, version, { by: 'ann' })
    await registry.setSchemaVersion(1, 0n, { reason: 'rolled back' })
    assert.deepEqual([(await need(registry, 1)).schemaVersion, (await need(registry, 1)).version], [0n, 3n])
    const lines = (await registry.history(1)).map(({ to, by, reason }) => [to, by, reason])
    assert.deepEqual(lines.slice(1), [
      ['sealed', 'ann', `schemaVersion: ${version}`],
      ['sealed', null, 'rolled back'],
    ])
    await rejects(registry.setSchemaVersion(2, 1n), 'NOT_FOUND')
  })

  test('of 20 changes at once none is lost', async (registry) => {
    await registry.register(shard(1, 'active'))
    await Promise.all(Array.from({ length: 20 }, (_, i) => registry.measure(1, BigInt(i))))
    assert.equal((await need(registry, 1)).version, 21n)
  })
}
