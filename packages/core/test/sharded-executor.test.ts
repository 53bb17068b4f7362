import { describe, expect, expectTypeOf, test } from 'vitest'
import { staticCatalog } from '../src/catalog.ts'
import type { CallOptions, Executor, Route } from '../src/executor.ts'
import { ShardCodec } from '../src/id-codec.ts'
import { ShardedExecutor } from '../src/sharded-executor.ts'
import { type FakeExecutor, fakeExecutor } from './fake-executor.ts'
import { hostile } from './hostile.ts'
import { refusal, rejection } from './refusal.ts'

const select = { sql: 'select 1', parameters: [] }
const codec = ShardCodec.default

interface Fleet {
  readonly executor: ShardedExecutor
  readonly databases: Record<string, FakeExecutor>
  /** The databases that were asked since the last call, by name. */
  asked(): string[]
}

function fleet(): Fleet {
  const databases = { global: fakeExecutor(), 1: fakeExecutor(), 2: fakeExecutor() }
  const shards = new Map([
    [1, databases[1]],
    [2, databases[2]],
  ])
  return {
    executor: new ShardedExecutor({
      catalog: staticCatalog({ global: databases.global, shards }),
      locator: codec,
      family: 'users',
    }),
    databases,
    asked: () => Object.entries(databases).flatMap(([name, { calls }]) => calls.splice(0).map(() => name)),
  }
}

async function drain(rows: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of rows);
}

/** Each way to send a statement. */
const ways: Record<string, (executor: Executor, options?: CallOptions) => Promise<unknown>> = {
  execute: (executor, options) => executor.execute(select, options),
  stream: (executor, options) => drain(executor.stream(select, options)),
  transaction: (executor, options) => executor.transaction((tx) => tx.execute(select), options),
}

describe.each(Object.entries(ways))('%s', (_, send) => {
  test.each<[string, Route | undefined]>([
    ['global', undefined],
    ['global', 'global'],
    ['1', { shard: 1 }],
    ['2', { shard: 2 }],
    ['2', { key: codec.compose(2, 77n) }],
  ])('goes to %s by the route %o', async (name, route) => {
    const { executor, asked } = fleet()
    await send(executor, { route })
    expect(asked()).toEqual([name])
  })

  test('a shard that the catalog lacks is an error, never another database', async () => {
    const { executor, asked } = fleet()
    await rejection('UNKNOWN_SHARD', send(executor, { route: { shard: 3 } }))
    await rejection('UNKNOWN_SHARD', send(executor, { route: { key: codec.compose(3, 1n) } }))
    expect(asked()).toEqual([])
  })

  test('a hostile route reaches no database', async () => {
    const { executor, asked } = fleet()
    const routes = [
      ...hostile.filter((route) => route !== undefined),
      ...hostile.map((shard) => ({ shard })),
      ...hostile.map((key) => ({ key })),
      { shard: 'global' },
      { shard: '1' },
      { shard: 1n },
      { key: 1 },
      { shard: 1, key: codec.compose(2, 1n) },
      'globals',
    ]
    for (const route of routes) await rejection('INVALID_ARGUMENT', send(executor, { route: route as Route }))
    expect(asked()).toEqual([])
  })

  test('the signal goes along, the route does not', async () => {
    const { executor, databases } = fleet()
    const { signal } = new AbortController()
    if (send === ways.transaction) return
    await send(executor, { route: { shard: 1 }, signal })
    expect(databases['1']?.calls[0]?.options).toEqual({ signal })
  })

  test('after close it is refused', async () => {
    const { executor, asked } = fleet()
    await executor.close()
    await rejection('CLOSED', send(executor, { route: { shard: 1 } }))
    expect(asked()).toEqual([])
  })
})

describe('inside a transaction', () => {
  test('statements without a route, and with its own, go to its database', async () => {
    const { executor, asked } = fleet()
    await executor.transaction(
      async (tx) => {
        await tx.execute(select)
        await tx.execute(select, { route: { shard: 1 } })
        await tx.execute(select, { route: { key: codec.compose(1, 5n) } })
        await drain(tx.stream(select))
        await tx.transaction((inner) => inner.execute(select))
      },
      { route: { shard: 1 } },
    )
    expect(asked()).toEqual(['1', '1', '1', '1', '1'])
  })

  test.each<[Route | undefined, Route]>([
    [{ shard: 1 }, { shard: 2 }],
    [{ shard: 1 }, { shard: 3 }],
    [{ shard: 1 }, 'global'],
    [{ shard: 1 }, { key: codec.compose(2, 5n) }],
    [undefined, { shard: 1 }],
    ['global', { key: codec.compose(1, 5n) }],
  ])('on %o, a statement for %o is refused, at every depth', async (route, other) => {
    const { executor, asked } = fleet()
    for (const send of Object.values(ways)) {
      const shallow = executor.transaction((tx) => send(tx, { route: other }), { route })
      await rejection('CROSS_SHARD_TRANSACTION', shallow)
      const deep = executor.transaction((tx) => tx.transaction((inner) => send(inner, { route: other })), {
        route,
      })
      await rejection('CROSS_SHARD_TRANSACTION', deep)
    }
    expect(asked()).toEqual([])
  })

  test('it says what it is', async () => {
    const { executor } = fleet()
    await executor.transaction(async (tx) => {
      expect(tx).toMatchObject({ dialect: 'sqlite', family: 'users' })
      expect(tx.shardIds()).toEqual([1, 2])
    })
  })
})

test('closing twice closes each database once', async () => {
  const { executor, databases } = fleet()
  await Promise.all([executor.close(), executor.close()])
  await executor[Symbol.asyncDispose]()
  expect(Object.values(databases).map((database) => database.closed())).toEqual([1, 1, 1])
})

test('an illegal family is refused', () => {
  const catalog = staticCatalog({ global: fakeExecutor(), shards: new Map() })
  for (const family of hostile)
    refusal(
      'INVALID_ARGUMENT',
      () => new ShardedExecutor({ catalog, locator: codec, family: family as string }),
    )
})

test('it is an executor; a route by key takes a bigint only', () => {
  expectTypeOf<ShardedExecutor>().toExtend<Executor>()
  expectTypeOf<{ key: number }>().not.toExtend<Route>()
  expectTypeOf<{ key: bigint }>().toExtend<Route>()
})
