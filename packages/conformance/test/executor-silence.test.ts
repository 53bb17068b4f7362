import { describe, expect, test } from 'vitest'
import { withServer } from './databases.ts'
import { behindProxy, holdTransaction, outcomeOf, servers, sql, until } from './faulty-servers.ts'

const insert = sql('insert into entry (id) values (1)')

// Each waits for time-outs of several seconds, so they run side by side.
describe.concurrent.each(servers)('$name', (engine) => {
  withServer(engine.name, engine.availability, () => {
    test('on a server that stands still, closing ends, and so does what is under way', async () => {
      await behindProxy(engine, async ({ proxy, executor, ids }) => {
        await executor.execute(sql('select id from entry'))
        proxy.stall()
        const call = outcomeOf(executor.execute(insert))
        await new Promise(setImmediate)
        expect(await outcomeOf(executor.close())).toBe('ok')
        expect(await call).toBe('CONNECTION_LOST unknown')
        expect(await ids()).toEqual([])
      })
    })

    test('on a server that stands still, a call is let go after its abort, its fate unknown', async () => {
      await behindProxy(engine, async ({ proxy, executor, ids }) => {
        const one = sql('select 1 as one')
        await Promise.all([executor.execute(one), executor.execute(one)])
        proxy.stall()
        const abort = new AbortController()
        const options = { signal: abort.signal }
        const single = outcomeOf(executor.execute(insert, options))
        const whole = outcomeOf(executor.transaction((tx) => tx.execute(insert), options))
        await new Promise(setImmediate)
        abort.abort()
        expect(await single).toBe('ABORTED unknown for good')
        expect(await whole).toBe('ABORTED not-applied for good')
        await proxy.pass()
        await until(async () => (await outcomeOf(executor.execute(one))) === 'ok', 'a connection')
        // What was cut off here may still arrive there, once.
        expect((await ids()).length).toBeLessThanOrEqual(1)
      })
    })

    test('after closing nothing connects any more', async () => {
      await behindProxy(engine, async ({ proxy, open }) => {
        const executor = open(2)
        proxy.hangUp()
        const call = outcomeOf(executor.execute(insert))
        await until(() => proxy.refusals > 0, 'an attempt')
        await executor.close()
        expect(await call).toMatch(/^(CLOSED|CONNECTION_LOST) not-applied/)
        await proxy.pass()
        // An attempt that had been put off would be made by now.
        await new Promise((resolve) => setTimeout(resolve, 100))
        expect(proxy.connections).toBe(0)
      })
    })

    test('on a server that stands still, work that fails is told so at once', async () => {
      await behindProxy(engine, async ({ proxy, executor, ids }) => {
        const whole = executor.transaction(async (tx) => {
          await tx.execute(insert)
          proxy.stall()
          throw new Error('enough')
        })
        await expect(whole).rejects.toThrow('enough')
        await proxy.pass()
        const { tx, release } = await holdTransaction(executor)
        expect((await tx.execute(sql('select id from entry'))).rows).toEqual([])
        await release()
        expect(await ids()).toEqual([])
      })
    })
  })
})
