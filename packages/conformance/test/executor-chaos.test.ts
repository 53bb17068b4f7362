import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Ending } from '../src/tcp-proxy.ts'
import { withServer } from './databases.ts'
import { behindProxy, outcomeOf, servers, sql, until } from './faulty-servers.ts'

/** How callers go on after a call, a broken one too: at once, or after other work of the process has had its turn. */
const manners = [async () => {}, () => turn()]

for (const engine of servers) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      // With few callers some connections are idle when they break, with many none is.
      test.each<[Ending, number]>([
        ['end', 1],
        ['end', 4],
        ['reset', 1],
        ['reset', 4],
      ])(
        'connections break (%s) again and again under load (%i callers of each kind): every outcome is true, and nobody waits for ever',
        async (how, callers) => {
          await behindProxy(
            engine,
            async ({ proxy, executor, ids }) => {
              const fates = new Map<bigint, string>()
              let next = 0n
              let rounds = 0
              const work = async (goOn: () => Promise<unknown>, caller: number): Promise<void> => {
                while (rounds < 40) {
                  const id = ++next
                  const insert =
                    id % 3n === 0n
                      ? sql('insert into entry (id) values (?)', id)
                      : sql(`insert into entry (id) values (${id})`)
                  const call =
                    caller % 2 === 0
                      ? executor.execute(insert)
                      : executor.transaction((tx) => tx.execute(insert))
                  fates.set(id, await outcomeOf(call))
                  if (fates.size % 15 === 0) {
                    rounds++
                    proxy.cut(how)
                  }
                  await goOn()
                }
              }
              await Promise.all(
                manners.flatMap((goOn) => Array.from({ length: callers }, (_, caller) => work(goOn, caller))),
              )

              const seen = [...new Set(fates.values())]
              const honest = /^(ok|CONNECTION_LOST (unknown|not-applied))$/
              expect(seen.filter((fate) => !honest.test(fate))).toEqual([])
              expect(seen.length).toBeGreaterThan(1)
              const there = new Set(await ids())
              for (const [id, fate] of fates) {
                if (fate === 'ok') expect(there, `${id} was acknowledged`).toContain(id)
                if (fate === 'CONNECTION_LOST not-applied')
                  expect(there, `${id} was not applied`).not.toContain(id)
              }
              // All connections of the pool work again.
              const read = () => outcomeOf(executor.execute(sql('select id from entry')))
              const isWell = async () =>
                (await Promise.all(Array.from({ length: 12 }, read))).every((fate) => fate === 'ok')
              await until(isWell, 'a pool that works')
            },
            4,
          )
        },
      )

      test.each<Ending>(['end', 'reset'])(
        'when all connections break (%s) at once, the pool is as large as before',
        async (how) => {
          await behindProxy(
            engine,
            async ({ proxy, executor, on, untilRunning }) => {
              // A server may run a statement to its end though nobody waits for it: each round has its own.
              const all = (round: number) =>
                Array.from({ length: 4 }, () => executor.execute(sql(`${on.sleep(30)} /* ${round} */`)))
              for (let round = 0; round < 3; round++) {
                const calls = all(round).map(outcomeOf)
                await untilRunning(`%/* ${round} */%`, 4)
                proxy.cut(how)
                // Whoever is told first tries again while the others are still to be told.
                const again = async (call: Promise<string>) => {
                  await call
                  for (let i = 0; i < 3; i++) await outcomeOf(executor.execute(sql('select id from entry')))
                }
                await Promise.all(calls.map(again))
              }
              const whole = all(3).map(outcomeOf)
              await untilRunning('%/* 3 */%', 4)
              proxy.cut(how)
              await Promise.all(whole)
            },
            4,
          )
        },
      )
    })
  })
}
