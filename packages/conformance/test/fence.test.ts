import { fencedExecutor, shardFence } from '@shard/sql'
import { describe, expect, test } from 'vitest'
import { executorSuite } from '../src/executor.suite.ts'
import { ann, handOver, insert, owner, setUp } from '../src/fence/check.ts'
import { wroteAfterRaise } from '../src/fence/interleaved.ts'
import { fenceSuite } from '../src/fence.suite.ts'
import { databases, withServer } from './databases.ts'
import { fencedExecutorHost, fenceHost, withoutLocks } from './fence-hosts.ts'
import { roundsUntilRaised } from './overlapping-writers.ts'

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      fenceSuite({ test, describe, open: () => fenceHost(engine) })

      describe('a fenced executor is an executor', () => {
        executorSuite({ test, describe, open: () => fencedExecutorHost(engine) })
      })

      test('a check that does not lock is caught: the deposed owner writes', async () => {
        const host = await fenceHost(engine)
        try {
          const plain = await setUp(host)
          await handOver(plain, ann)
          const connections = [withoutLocks(host.connect()), host.connect(), plain] as const
          const deposed = await wroteAfterRaise(connections, (fenced) =>
            fenced.transaction((tx) => insert(tx, 1)),
          )
          expect(deposed).toBe(true)
        } finally {
          await host.close()
        }
      })

      // SQLite has no queue: there a raise competes for its turn like any writer.
      test.skipIf(engine.name === 'sqlite')(
        'a raise gets through though writers always overlap',
        async () => {
          const host = await fenceHost(engine)
          try {
            const plain = await setUp(host)
            await owner(host, ann)
            const writers = [
              fencedExecutor(host.connect(), ann),
              fencedExecutor(host.connect(), ann),
            ] as const
            const raise = () => shardFence(plain).raise(ann.token)
            expect(await roundsUntilRaised(writers, plain, raise)).toBeLessThanOrEqual(1)
          } finally {
            await host.close()
          }
        },
      )
    })
  })
}
