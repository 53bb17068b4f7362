import assert from 'node:assert/strict'
import { type Check, items, rejects, rowsOf, sql } from './check.ts'

export function signals(test: Check): void {
  test('an aborted signal is ABORTED, and nothing runs', async (executor) => {
    await items(executor, 0)
    const signal = AbortSignal.abort(new Error('enough'))
    const insert = sql('insert into items (id) values (1)')
    await rejects(executor.execute(insert, { signal }), 'ABORTED')
    await rejects(
      executor.transaction((tx) => tx.execute(insert), { signal }),
      'ABORTED',
    )
    const reading = async () => {
      for await (const _ of executor.stream(sql('select id from items'), { signal })) assert.fail('a row')
    }
    await rejects(reading(), 'ABORTED')
    assert.deepEqual(await rowsOf(executor, 'select id from items'), [])
  })

  test('a signal that is aborted while the work runs undoes the transaction', async (executor) => {
    await items(executor, 0)
    const abort = new AbortController()
    const call = executor.transaction(
      async (tx) => {
        await tx.execute(sql('insert into items (id) values (1)'))
        abort.abort(new Error('enough'))
      },
      { signal: abort.signal },
    )
    await assert.rejects(call, { code: 'ABORTED', outcome: 'not-applied' })
    assert.deepEqual(await rowsOf(executor, 'select id from items'), [])
  })

  test('a stream ends when its signal is aborted', async (executor) => {
    await items(executor, 2_100)
    const abort = new AbortController()
    let rows = 0
    const reading = async () => {
      for await (const _ of executor.stream(sql('select id from items'), { signal: abort.signal })) {
        rows++
        abort.abort()
      }
    }
    await rejects(reading(), 'ABORTED')
    assert.ok(rows < 2_100)
    assert.equal((await rowsOf(executor, 'select id from items')).length, 2_100)
  })

  test('a signal that outlives its call keeps no listener', async (executor) => {
    await items(executor, 1)
    const { signal } = new AbortController()
    let listeners = 0
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--
      remove(...args)
    }
    for (let i = 0; i < 5; i++) {
      await executor.execute(sql('select id from items'), { signal })
      await executor.transaction((tx) => tx.execute(sql('select id from items'), { signal }), { signal })
    }
    assert.ok(listeners <= 0)
  })
}
