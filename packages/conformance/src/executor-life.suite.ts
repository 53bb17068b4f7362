import assert from 'node:assert/strict'
import type { Executor } from '@shard/core'
import { rejects, sql } from './executor/check.ts'
import type { ExecutorSuite } from './executor.suite.ts'

const one = sql('select 1 as one')

async function read(executor: Executor): Promise<number> {
  let rows = 0
  for await (const _ of executor.stream(one)) rows++
  return rows
}

/**
 * How an `Executor` that owns its database ends. Not for the inside of a transaction, whose `close` does nothing.
 * A host may be closed after its executor has been.
 */
export function executorLifeSuite({ test, describe, open }: ExecutorSuite): void {
  const check = (name: string, body: (executor: Executor) => Promise<void>): unknown =>
    test(name, async () => {
      const host = await open()
      try {
        await body(host.executor)
      } finally {
        await host.close()
      }
    })

  describe('its life', () => {
    check('[J1] it may be closed before its first use', (executor) => executor.close())

    check('[J1] closing twice is one close, at once or one after the other', async (executor) => {
      await executor.execute(one)
      await Promise.all([executor.close(), executor.close()])
      await executor.close()
      await executor[Symbol.asyncDispose]()
    })

    check('[J1] later calls are CLOSED', async (executor) => {
      await executor.execute(one)
      const closing = executor.close()
      for (const _ of ['while it closes', 'afterwards']) {
        await assert.rejects(executor.execute(one), { code: 'CLOSED', outcome: 'not-applied' })
        await rejects(
          executor.transaction(async () => assert.fail('the work runs')),
          'CLOSED',
        )
        await rejects(read(executor), 'CLOSED')
        await closing
      }
    })

    check('closing waits for the transaction in flight, which commits', async (executor) => {
      let isClosed = false
      let go = (): void => {}
      const may = new Promise<void>((resolve) => {
        go = resolve
      })
      let whole: Promise<boolean> = Promise.resolve(true)
      await new Promise<void>((begun) => {
        whole = executor.transaction(async (tx) => {
          begun()
          await may
          await tx.execute(one)
          return isClosed
        })
      })
      const closing = executor.close().then(() => {
        isClosed = true
      })
      await new Promise<void>((turn) => {
        setTimeout(turn)
      })
      go()
      await closing
      assert.equal(await whole, false)
    })

    check('what is under way when it closes ends, done or CLOSED', async (executor) => {
      await executor.execute(one)
      const calls = Array.from({ length: 20 }, (_, i) =>
        i % 2 === 0 ? executor.execute(one) : executor.transaction((tx) => tx.execute(one)),
      )
      const [ends] = await Promise.all([Promise.allSettled(calls), executor.close()])
      for (const end of ends) {
        if (end.status === 'rejected') assert.equal(end.reason.code, 'CLOSED')
      }
    })
  })
}
