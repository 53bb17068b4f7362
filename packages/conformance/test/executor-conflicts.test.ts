import type { Executor } from '@shard/core'
import { describe, expect, test } from 'vitest'
import { withServer } from './databases.ts'
import { type Behind, behindProxy, outcomeOf, servers, sql } from './faulty-servers.ts'

const update = (executor: Executor, id: number, n: number) =>
  executor.execute(sql(`update entry set n = ${n} where id = ${id}`))

/** What each engine calls a limit of time */
const settings = {
  postgres: {
    lockWait: "set local lock_timeout = '50ms'",
    statement: "set local statement_timeout = '50ms'",
  },
  mysql: { lockWait: 'set innodb_lock_wait_timeout = 1', statement: 'set max_statement_time = 0.05' },
}

for (const engine of servers) {
  const on = settings[engine.dialect as 'postgres' | 'mysql']
  const onDatabase = (body: (behind: Behind) => Promise<void>) => () =>
    behindProxy(engine, async (behind) => {
      await behind.direct.execute(sql('insert into entry (id, n) values (1, 0), (2, 0), (3, 0)'))
      await body(behind)
    })

  async function rows(direct: Executor): Promise<unknown[]> {
    return (await direct.execute<{ n: bigint }>(sql('select n from entry order by id'))).rows.map(
      ({ n }) => n,
    )
  }

  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      test(
        'of two that wait for each other one is told DEADLOCK, and nothing of it remains or follows',
        onDatabase(async ({ executor, direct }) => {
          const fates: string[][] = []
          const one = async (first: number, second: number, ready: () => void, go: Promise<void>) => {
            const fate: string[] = []
            fates.push(fate)
            return executor.transaction(async (tx) => {
              await update(tx, first, first * 10)
              ready()
              await go
              fate.push(await outcomeOf(update(tx, second, first * 10)))
              // Whoever swallows the error and goes on writes nothing.
              if (fate[0] !== 'ok') fate.push(await outcomeOf(update(tx, 3, 99)))
            })
          }
          const gates = [gate(), gate()] as const
          const calls = [
            outcomeOf(one(1, 2, gates[0].resolve, gates[1].promise)),
            outcomeOf(one(2, 1, gates[1].resolve, gates[0].promise)),
          ]
          const ends = await Promise.all(calls)
          const victim = fates.findIndex(([first]) => first !== 'ok')
          expect(fates[1 - victim]).toEqual(['ok'])
          expect(ends[1 - victim]).toBe('ok')
          expect(fates[victim]?.[0]).toBe('DEADLOCK not-applied')
          expect(fates[victim]?.[1]).toMatch(/ not-applied/)
          expect(ends[victim]).toBe('DEADLOCK not-applied')
          const winner = victim === 0 ? 20n : 10n
          expect(await rows(direct)).toEqual([winner, winner, 0n])
        }),
      )

      test(
        'a lock that is not given in time is BUSY, and its transaction leaves nothing',
        onDatabase(async ({ executor, direct }) => {
          await direct.transaction(async (holder) => {
            await update(holder, 1, 1)
            const seen: string[] = []
            const whole = executor.transaction(async (tx) => {
              await tx.execute(sql(on.lockWait))
              await update(tx, 2, 2)
              seen.push(await outcomeOf(update(tx, 1, 2)))
              seen.push(await outcomeOf(update(tx, 3, 2)))
            })
            expect(await outcomeOf(whole)).toBe('BUSY not-applied')
            expect(seen[0]).toBe('BUSY not-applied')
            expect(seen[1]).toMatch(/ not-applied/)
          })
          expect(await rows(direct)).toEqual([1n, 0n, 0n])
        }),
      )

      test(
        'a statement that the server ends for its time is TIMEOUT, not applied',
        onDatabase(async ({ executor, on: spelling }) => {
          const whole = executor.transaction(async (tx) => {
            await tx.execute(sql(on.statement))
            await tx.execute(sql(`select 1 as n from (${spelling.sleep(30)}) as nap`))
          })
          expect(await outcomeOf(whole)).toBe('TIMEOUT not-applied')
        }),
      )

      if (engine.dialect === 'postgres') {
        test(
          'a write on a row that changed since the snapshot is SERIALIZATION_FAILURE',
          onDatabase(async ({ executor, direct }) => {
            const whole = executor.transaction(async (tx) => {
              await tx.execute(sql('set transaction isolation level repeatable read'))
              await tx.execute(sql('select n from entry'))
              await update(direct, 1, 1)
              await update(tx, 1, 2)
            })
            expect(await outcomeOf(whole)).toBe('SERIALIZATION_FAILURE not-applied')
            expect(await rows(direct)).toEqual([1n, 0n, 0n])
          }),
        )

        test(
          'a transaction that swallowed a failed statement does not commit',
          onDatabase(async ({ executor, direct }) => {
            const whole = executor.transaction(async (tx) => {
              await update(tx, 1, 1)
              await outcomeOf(tx.execute(sql('insert into entry (id) values (1)')))
            })
            expect(await outcomeOf(whole)).toBe('QUERY_FAILED not-applied for good')
            expect(await rows(direct)).toEqual([0n, 0n, 0n])
          }),
        )
      }
    })
  })
}

interface Gate {
  promise: Promise<void>
  resolve(): void
}

function gate(): Gate {
  let resolve = (): void => {}
  const promise = new Promise<void>((open) => {
    resolve = open
  })
  return { promise, resolve }
}
