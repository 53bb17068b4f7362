import { type Executor, ShardCodec, ShardedExecutor, staticCatalog } from '@shard/core'
import { describe, expect, test } from 'vitest'
import { executorLifeSuite } from '../src/executor-life.suite.ts'
import { faultyExecutor } from '../src/faulty-executor.ts'
import { withChildren } from './children.ts'
import type { Closing } from './closing-process.ts'
import { databases, withServer } from './databases.ts'
import { executorHost, sharded } from './executor-hosts.ts'
import { freshDatabase, openDatabase } from './fresh-database.ts'

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      executorLifeSuite({ test, describe, open: () => executorHost(engine) })

      describe('behind a sharded executor', () => {
        executorLifeSuite({ test, describe, open: () => executorHost(engine, sharded) })
      })

      describe('behind a faulty executor', () => {
        const decorate = (executor: Executor) => faultyExecutor(executor, () => 'none')
        executorLifeSuite({ test, describe, open: () => executorHost(engine, decorate) })
      })

      test('[J1] when one shard fails to close, the others are closed, and the failure is told', async () => {
        const created = await Promise.all([1, 2, 3].map(() => freshDatabase(engine)))
        const [global, first, second] = created.map(({ url }) => openDatabase(url)) as [
          Executor,
          Executor,
          Executor,
        ]
        const failing: Executor = Object.create(first, {
          close: {
            value: async () => {
              await first.close()
              throw new Error('will not close')
            },
          },
        })
        const catalog = staticCatalog({
          global,
          shards: new Map([
            [1, failing],
            [2, second],
          ]),
        })
        const executor = new ShardedExecutor({ catalog, locator: ShardCodec.default, family: 'users' })
        const one = { sql: 'select 1 as one', parameters: [] }
        await executor.execute(one, { route: { shard: 2 } })
        await expect(executor.close()).rejects.toThrow('will not close')
        await expect(executor.execute(one)).rejects.toMatchObject({ code: 'CLOSED' })
        for (const closed of [global, second]) {
          await expect(closed.execute(one)).rejects.toMatchObject({ code: 'CLOSED' })
        }
        await Promise.all(created.map((database) => database.drop()))
      })

      test('[J1] a process that has closed ends by itself', async () => {
        const database = await freshDatabase(engine)
        try {
          const manners = ['unused', 'used', 'cancelled', 'broken'] as const
          await withChildren('closing-process.ts', manners.length, async (children) => {
            await Promise.all(
              children.map((child, i) =>
                child.ask({ url: database.url, manner: manners[i] ?? 'used' } satisfies Closing),
              ),
            )
            expect(await Promise.all(children.map(({ ended }) => ended))).toEqual([0, 0, 0, 0])
          })
        } finally {
          await database.drop()
        }
      })
    })
  })
}
