import { setImmediate as turn } from 'node:timers/promises'
import type { Executor } from '@shard/core'
import { describe, expect, test } from 'vitest'
import { withServer } from './databases.ts'
import { type Behind, behindProxy, holdTransaction, outcomeOf, servers, sql } from './faulty-servers.ts'

const ABORTED = 'ABORTED not-applied for good'
const one = sql('select 1 as one')
const insert = (executor: Executor, id: number) =>
  executor.execute(sql(`insert into entry (id) values (${id})`))

/** Ways to run a statement for long, with a mark in its text. */
const ways: Record<string, (executor: Executor, text: string, signal: AbortSignal) => Promise<unknown>> = {
  execute: (executor, text, signal) => executor.execute(sql(text), { signal }),
  'execute with a parameter': (executor, text, signal) =>
    executor.execute(sql(`${text} union all select n from entry where id = ?`, 5n), { signal }),
  stream: async (executor, text, signal) => {
    for await (const _ of executor.stream(sql(text), { signal }));
  },
  'execute in a transaction': (executor, text, signal) =>
    executor.transaction((tx) => tx.execute(sql(text), { signal })),
  'stream in a transaction': (executor, text, signal) =>
    executor.transaction(async (tx) => {
      for await (const _ of tx.stream(sql(text), { signal }));
    }),
}

for (const engine of servers) {
  const onDatabase = (connections: number, body: (behind: Behind) => Promise<void>) => () =>
    behindProxy(engine, body, connections)

  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      for (const [name, run] of Object.entries(ways)) {
        for (const connections of [1, 2]) {
          test(
            `a cancelled ${name} runs no longer on the server, nor hurts its connection (pool of ${connections})`,
            onDatabase(connections, async ({ executor, on, untilRunning }) => {
              // Engines agree on the type of a number that is computed.
              const text = `select 1 as n from (${on.sleep(30)}) as nap /* long */`
              const abort = new AbortController()
              const call = outcomeOf(run(executor, text, abort.signal))
              await untilRunning('%/* long */%', 1)
              abort.abort()
              expect(await call).toBe(ABORTED)
              await untilRunning('%/* long */%', 0)
              for (let i = 0; i < 3; i++) expect(await outcomeOf(executor.execute(one))).toBe('ok')
            }),
          )
        }
      }

      test(
        'a cancel that overtakes its statement is made again',
        onDatabase(1, async ({ proxy, executor, on, untilRunning }) => {
          await executor.execute(one)
          // Slow enough for the request to arrive while the statement is only being described.
          proxy.delay(15)
          const abort = new AbortController()
          const text = `select 1 as n from (${on.sleep(30)}) as nap /* long */`
          const call = outcomeOf(
            executor.execute(sql(`${text} union all select n from entry where id = ?`, 1n), {
              signal: abort.signal,
            }),
          )
          await turn()
          abort.abort()
          expect(await call).toBe(ABORTED)
          await untilRunning('%/* long */%', 0)
          expect(await outcomeOf(executor.execute(one))).toBe('ok')
        }),
      )

      test(
        'no statement of another caller is hit by a late cancel',
        onDatabase(1, async ({ executor, on }) => {
          for (let round = 0; round < 60; round++) {
            const abort = new AbortController()
            const start = performance.now()
            const calls = [
              outcomeOf(executor.execute(sql(on.sleep(0.002)), { signal: abort.signal })),
              outcomeOf(
                executor.transaction(async (tx) => {
                  await outcomeOf(tx.execute(sql(on.sleep(0.002)), { signal: abort.signal }))
                }),
              ),
            ]
            const others = Array.from({ length: 3 }, () => outcomeOf(executor.execute(sql(on.sleep(0.001)))))
            while (performance.now() - start < round * 0.1) await turn()
            abort.abort()
            expect(await Promise.all(others)).toEqual(['ok', 'ok', 'ok'])
            // A transaction whose statement was cancelled may not commit.
            for (const fate of await Promise.all(calls)) expect(fate).toMatch(/^ok|not-applied/)
          }
        }),
      )

      test(
        'a call that is aborted while it waits for a connection never runs',
        onDatabase(1, async ({ executor, ids }) => {
          const abort = new AbortController()
          const options = { signal: abort.signal }
          const held = await holdTransaction(executor)
          const calls = [
            executor.execute(sql('insert into entry (id) values (1)'), options),
            executor.transaction((tx) => insert(tx, 2), options),
            (async () => {
              for await (const _ of executor.stream(one, options));
            })(),
          ].map(outcomeOf)
          const after = insert(executor, 3)
          await turn()
          abort.abort()
          expect(await Promise.all(calls)).toEqual([ABORTED, ABORTED, ABORTED])
          await held.release()
          await after
          expect(await ids()).toEqual([3n])
        }),
      )
    })
  })
}
