import type { Executor } from '@shard/core'
import { describe, expect, test } from 'vitest'
import type { Ending } from '../src/tcp-proxy.ts'
import { withServer } from './databases.ts'
import { type Behind, behindProxy, connectionOf, outcomeOf, servers, sql, until } from './faulty-servers.ts'

const insert = (executor: Executor, id: number) =>
  executor.execute(sql(`insert into entry (id) values (${id})`))
const NOT_APPLIED = 'CONNECTION_LOST not-applied'
const UNKNOWN = 'CONNECTION_LOST unknown'

for (const engine of servers) {
  const onDatabase = (body: (behind: Behind) => Promise<void>, connections?: number) => () =>
    behindProxy(engine, body, connections)

  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      test(
        'before it is sent, a statement or transaction is not applied, and later ones are',
        onDatabase(async ({ proxy, executor, ids }) => {
          await insert(executor, 1)
          await proxy.refuse()
          proxy.cut()
          // The driver may send on a connection that was cut until it has noticed.
          await until(async () => (await outcomeOf(insert(executor, 2))) === NOT_APPLIED, 'refusal')
          expect(await outcomeOf(executor.transaction((tx) => insert(tx, 3)))).toBe(NOT_APPLIED)
          await proxy.pass()
          expect(await outcomeOf(insert(executor, 4))).toBe('ok')
          expect(await outcomeOf(executor.transaction((tx) => insert(tx, 5)))).toBe('ok')
          expect(await ids()).toEqual([1n, 4n, 5n])
        }),
      )

      test(
        'a statement that is only being prepared is not applied',
        onDatabase(async ({ proxy, executor, ids }) => {
          await executor.execute(sql('select id from entry'))
          proxy.swallow()
          const call = outcomeOf(executor.execute(sql('insert into entry (id) values (?)', 1n)))
          await new Promise(setImmediate)
          proxy.cut()
          expect(await call).toBe(NOT_APPLIED)
          expect(await ids()).toEqual([])
        }),
      )

      test(
        'after it is sent its fate is unknown',
        onDatabase(async ({ proxy, executor, direct, untilWaiting }) => {
          await insert(direct, 1)
          await direct.transaction(async (tx) => {
            await tx.execute(sql('update entry set n = 0 where id = 1'))
            const call = outcomeOf(executor.execute(sql('update entry set n = 1 where id = 1')))
            await untilWaiting('update entry set n = 1%')
            proxy.cut()
            expect(await call).toBe(UNKNOWN)
          })
        }),
      )

      test(
        'after it is committed, with the reply lost, its fate is unknown',
        onDatabase(async ({ proxy, executor, ids }) => {
          await executor.execute(sql('select id from entry'))
          proxy.swallow()
          const single = outcomeOf(insert(executor, 1))
          await until(async () => (await ids()).length === 1, 'the insert')
          proxy.cut()
          expect(await single).toBe(UNKNOWN)

          await proxy.pass()
          const whole = executor.transaction(async (tx) => {
            await insert(tx, 2)
            proxy.swallow()
          })
          const lost = outcomeOf(whole)
          await until(async () => (await ids()).length === 2, 'the commit')
          proxy.cut('reset')
          expect(await lost).toBe(UNKNOWN)
          await proxy.pass()
          expect(await outcomeOf(insert(executor, 3))).toBe('ok')
        }),
      )

      test.each<Ending>(['end', 'reset'])(
        'a transaction whose connection was cut (%s) takes no more, and leaves nothing behind',
        async (how) => {
          await behindProxy(engine, async ({ proxy, executor, direct, ids, untilGone }) => {
            for (const notices of [true, false]) {
              const seen: string[] = []
              const whole = executor.transaction(async (tx) => {
                const id = await connectionOf(tx)
                await insert(tx, 1)
                proxy.cut(how)
                if (notices) await untilGone(id)
                for (let row = 2; row < 6; row++) seen.push(await outcomeOf(insert(tx, row)))
                seen.push(await outcomeOf(tx.transaction((inner) => insert(inner, 6))))
              })
              expect(await outcomeOf(whole)).toBe(NOT_APPLIED)
              expect(new Set(seen)).toEqual(new Set([NOT_APPLIED]))
              // Another connection takes what follows, and only that.
              expect(await outcomeOf(insert(executor, 10))).toBe('ok')
              expect(await ids()).toEqual([10n])
              await direct.execute(sql('delete from entry'))
            }
          })
        },
      )

      test(
        'a connection that the server ends, in a statement or idle, is replaced',
        onDatabase(async ({ executor, direct, on, ids, untilRunning, untilGone }) => {
          const idle = await connectionOf(executor)
          const long = outcomeOf(executor.execute(sql(`${on.sleep(30)} /* long */`)))
          await untilRunning('%long%', 1)
          await direct.execute(sql(on.kill(idle)))
          expect(await long).toBe(UNKNOWN)

          const whole = executor.transaction(async (tx) => {
            await insert(tx, 1)
            const id = await connectionOf(tx)
            await direct.execute(sql(on.kill(id)))
            await untilGone(id)
            expect(await outcomeOf(insert(tx, 2))).toBe(NOT_APPLIED)
          })
          expect(await outcomeOf(whole)).toBe(NOT_APPLIED)
          await executor.execute(sql('select id from entry'))
          expect(await ids()).toEqual([])
        }, 1),
      )

      test.each<Ending>(['end', 'reset'])(
        'a connection that breaks (%s) just when it is taken breaks that call at most',
        async (how) => {
          await behindProxy(engine, async ({ proxy, open, ids }) => {
            const executor = open(1)
            const fates: string[] = []
            for (let round = 0; round < 60; round++) {
              await until(
                async () => (await outcomeOf(executor.execute(sql('select 1 as one')))) === 'ok',
                'a connection',
              )
              proxy.cut(how)
              for (let turns = round % 6; turns > 0; turns--) await new Promise(setImmediate)
              fates.push(await outcomeOf(insert(executor, round)))
            }
            const there = await ids()
            for (const [round, fate] of fates.entries()) {
              expect(['ok', NOT_APPLIED, UNKNOWN]).toContain(fate)
              if (fate !== UNKNOWN) expect(there.includes(BigInt(round))).toBe(fate === 'ok')
            }
          })
        },
      )

      test.each<Ending>(['end', 'reset'])(
        'a connection that breaks (%s) just when a stream goes on breaks that stream at most',
        async (how) => {
          await behindProxy(engine, async ({ proxy, direct, open }) => {
            const ids = Array.from({ length: 40 }, (_, i) => `(${i})`)
            await direct.execute(sql(`insert into entry (id) values ${ids.join(', ')}`))
            const executor = open(1)
            const isWell = async () => (await outcomeOf(executor.execute(sql('select 1 as one')))) === 'ok'
            for (let round = 0; round < 40; round++) {
              await until(isWell, 'a connection')
              let rows = 0
              const read = async (): Promise<void> => {
                for await (const _ of executor.stream(sql('select a.id from entry a cross join entry b'))) {
                  if (++rows % 500 !== 0) continue
                  proxy.cut(how)
                  for (let turns = round % 8; turns > 0; turns--) await new Promise(setImmediate)
                  if (round % 3 === 0) break
                }
              }
              const fate = await outcomeOf(read())
              expect(['ok', NOT_APPLIED, UNKNOWN]).toContain(fate)
              // A stream that ends well has given every row.
              if (fate === 'ok' && round % 3 !== 0) expect(rows).toBe(1_600)
            }
            await until(isWell, 'a connection')
          })
        },
      )

      test.each<Ending>(['end', 'reset'])(
        'a connection that breaks (%s) at any step of its beginning breaks that call at most',
        async (how) => {
          await behindProxy(engine, async ({ proxy, open, ids }) => {
            for (let after = 1; after <= 6; after++) {
              const executor = open(1)
              proxy.hangUp({ after, how, times: 1 })
              const whole = outcomeOf(executor.transaction((tx) => insert(tx, after)))
              const fates = await Promise.all([whole, outcomeOf(insert(executor, -after))])
              const there = await ids()
              for (const [i, id] of [BigInt(after), BigInt(-after)].entries()) {
                expect(['ok', NOT_APPLIED, UNKNOWN]).toContain(fates[i])
                if (fates[i] === 'ok') expect(there).toContain(id)
                if (fates[i] === NOT_APPLIED) expect(there).not.toContain(id)
              }
              const read = () => outcomeOf(executor.execute(sql('select id from entry')))
              await until(async () => (await read()) === 'ok', 'a connection that lasts')
            }
          })
        },
      )
    })
  })
}
