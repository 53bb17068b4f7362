import assert from 'node:assert/strict'
import type { ShardRegistry } from '@shard/registry'
import { type Check, fleet, rejects, shard } from './check.ts'

export function badArguments(test: Check): void {
  test('a bad argument is INVALID_ARGUMENT and changes nothing', async (registry) => {
    await fleet(registry, 'active', 'standby')
    const before = await registry.list()
    for (const call of badCalls(registry)) await rejects(call(), 'INVALID_ARGUMENT')
    assert.deepEqual(await registry.list(), before)
    for (const id of [0, 1]) assert.equal((await registry.history(id)).length, 1)
  })

  test('an aborted signal is ABORTED and changes nothing', async (registry) => {
    await fleet(registry, 'active', 'standby')
    const before = await registry.list()
    const signal = AbortSignal.abort()
    const calls = [
      registry.list({ signal }),
      registry.get(0, { signal }),
      registry.register(shard(9, 'standby'), { signal }),
      registry.transition(0, 'active', 'sealed', { signal }),
      registry.measure(0, 1n, { signal }),
      registry.recordSizeError(0, 'x', { signal }),
      registry.setCapacity(0, { maxBytes: 1n }, { signal }),
      registry.setSchemaVersion(0, 1n, { signal }),
      registry.reserve(0, 1, 1n, { signal }),
      registry.swapActive(0, 1, 1n, { signal }),
      registry.history(0, { signal }),
    ]
    for (const call of calls) await rejects(call, 'ABORTED')
    assert.deepEqual(await registry.list(), before)
  })
}

/** Calls that a type checker would mostly refuse. */
function badCalls(registry: ShardRegistry): (() => Promise<unknown>)[] {
  const input = shard(5, 'standby')
  const bad = (fields: object) => () => registry.register({ ...input, ...fields })
  const texts = ['', 'a\0b', '\ud800', 'x'.repeat(2_000), 7 as never]
  const thresholds = [0, -0.1, 1.01, Number.NaN, Number.POSITIVE_INFINITY, '0.5' as never, 1n as never]
  const bytes = [-1n, 2n ** 63n, 5 as never, Number.NaN as never, '5' as never]
  const ids = [-1, 0.5, Number.NaN, 2 ** 24, '1' as never, 1n as never]
  return [
    ...ids.flatMap((id) => [bad({ id }), () => registry.get(id), () => registry.swapActive(null, id, 1n)]),
    ...texts.flatMap((text) => [bad({ name: text }), bad({ region: text }), bad({ databaseId: text })]),
    ...texts.map((by) => () => registry.transition(0, 'active', 'sealed', { by })),
    ...texts.map((reason) => () => registry.setCapacity(0, { maxBytes: 1n }, { reason })),
    ...['', 'ACTIVE', 'unknown', 'toString', null].map((status) => bad({ status })),
    () => registry.transition(0, 'toString' as never, 'active'),
    ...thresholds.flatMap((t) => [
      bad({ admitThreshold: t }),
      () => registry.setCapacity(0, { hardThreshold: t }),
    ]),
    ...bytes.flatMap((b) => [bad({ sizeBytes: b }), bad({ maxBytes: b }), () => registry.measure(0, b)]),
    ...bytes.map((fileBytes) => () => registry.measure(0, 1n, { fileBytes })),
    ...bytes.flatMap((b) => [
      bad({ schemaVersion: b }),
      () => registry.setSchemaVersion(0, b),
      () => registry.measure(0, 1n, { reservedBefore: b }),
      () => registry.reserve(0, 1, b),
    ]),
    ...[0, -1, 0.5, Number.NaN, 2 ** 31, 1n as never].map((count) => () => registry.reserve(0, count, 1n)),
    ...ids.flatMap((id) => [() => registry.reserve(id, 1, 1n), () => registry.setSchemaVersion(id, 1n)]),
    bad({ maxBytes: 0n }),
    () => registry.setCapacity(0, {}),
    () => registry.swapActive(0, 0, 1n),
    () => registry.swapActive(0, 1, 1 as never),
    () => registry.transition(0, 'active', 'sealed', { expectedVersion: 0n }),
  ]
}
