import { randomBytes } from 'node:crypto'
import type { Executor } from '@shard/core'
import { mysqlExecutor } from '@shard/core/mysql'
import { postgresExecutor } from '@shard/core/postgres'
import mysql from 'mysql2'
import postgres from 'postgres'
import { describe, expect, test } from 'vitest'
import { onFreshDatabase } from './connected-database.ts'
import { databases, withServer } from './databases.ts'
import { behindProxy, holdTransaction, outcomeOf, servers, sql, until } from './faulty-servers.ts'

const one = sql('select 1 as one')
const BUSY = 'BUSY not-applied'

/** An executor that waits for a connection for so long only. */
function impatient(url: string, waitTimeoutMs: number, connections = 1): Executor {
  return url.startsWith('postgres')
    ? postgresExecutor(postgres(url, { max: connections, onnotice: () => {} }), { waitTimeoutMs })
    : mysqlExecutor(mysql.createPool({ uri: url, connectionLimit: connections }), { waitTimeoutMs })
}

/** Every way to ask for a connection. */
function calls(executor: Executor, id = 1): Promise<unknown>[] {
  return [
    executor.execute(sql(`insert into entry (id) values (${id})`)),
    executor.transaction((tx) => tx.execute(sql(`insert into entry (id) values (${id + 1})`))),
    (async () => {
      for await (const _ of executor.stream(one));
    })(),
  ]
}

/** A user that may have one connection. */
const limitedUsers = {
  postgres: {
    create: (user: string) => [`create role ${user} login connection limit 1`],
    drop: (user: string) => `drop role ${user}`,
  },
  mysql: {
    create: (user: string) => [
      `create user ${user}@'%' with max_user_connections 1`,
      `grant all on *.* to ${user}@'%'`,
    ],
    drop: (user: string) => `drop user ${user}@'%'`,
  },
}

/** How many statements its connection has prepared and not forgotten. */
const preparedBy = {
  postgres: 'select count(*) as n from pg_prepared_statements',
  mysql: `select cast(sum(if(variable_name = 'COM_STMT_PREPARE', 1, -1) * variable_value) as signed) as n
    from information_schema.session_status where variable_name in ('COM_STMT_PREPARE', 'COM_STMT_CLOSE')`,
}

for (const engine of servers) {
  const dialect = engine.dialect as 'postgres' | 'mysql'
  const users = limitedUsers[dialect]

  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      test('a call that gets no connection in time is BUSY, never runs, and the next one gets it', async () => {
        await behindProxy(engine, async ({ url, ids }) => {
          await using executor = impatient(url, 60)
          const held = await holdTransaction(executor)
          expect(await Promise.all(calls(executor).map(outcomeOf))).toEqual([BUSY, BUSY, BUSY])
          await held.release()
          expect(await Promise.all(calls(executor, 10).map(outcomeOf))).toEqual(['ok', 'ok', 'ok'])
          expect(await ids()).toEqual([10n, 11n])
        })
      })

      test('a server that accepts and hangs up, or is silent, is not waited for for ever', async () => {
        await behindProxy(engine, async ({ proxy, url, ids }) => {
          for (const fail of [() => proxy.hangUp(), () => proxy.stall()]) {
            fail()
            const executor = impatient(url, 60)
            for (const fate of await Promise.all(calls(executor).map(outcomeOf))) {
              expect(['BUSY not-applied', 'CONNECTION_LOST not-applied']).toContain(fate)
            }
            await proxy.pass()
            await until(async () => (await outcomeOf(executor.execute(one))) === 'ok', 'a connection')
            await executor.close()
          }
          expect(await ids()).toEqual([])
        })
      })

      test('a server with no connection left to give says BUSY, and is used as soon as it has one', async () => {
        await behindProxy(engine, async ({ direct, url }) => {
          const user = `shard_test_${randomBytes(4).toString('hex')}`
          for (const text of users.create(user)) await direct.execute(sql(text))
          const limited = new URL(url)
          limited.username = user
          const greedy = impatient(limited.href, 10_000, 4)
          const refused = impatient(limited.href, 200)
          await greedy.execute(one)
          // Those that it has do for all callers, when the driver leaves the choice.
          const fates = await Promise.all(Array.from({ length: 8 }, () => outcomeOf(greedy.execute(one))))
          for (const fate of fates) expect(dialect === 'postgres' ? ['ok'] : ['ok', BUSY]).toContain(fate)
          for (const fate of await Promise.all(calls(refused).map(outcomeOf))) expect(fate).toBe(BUSY)
          await greedy.close()
          await until(async () => (await outcomeOf(refused.execute(one))) === 'ok', 'a connection')
          await refused.close()
          await direct.execute(sql(users.drop(user)))
        })
      })

      test('many different statements leave a bounded number prepared on the server', async () => {
        await behindProxy(
          engine,
          async ({ url }) => {
            await using executor = impatient(url, 10_000)
            for (let i = 0; i < 3_000; i++) {
              // Twice, since what runs once only is not worth preparing.
              const text = sql(`select n from entry where id = ? and ${i} = ${i}`, BigInt(i))
              await Promise.all([executor.execute(text), executor.execute(text)])
            }
            const { rows } = await executor.execute<{ n: bigint }>(sql(preparedBy[dialect]))
            expect(rows[0]?.n).toBeGreaterThan(100n)
            expect(rows[0]?.n).toBeLessThanOrEqual(dialect === 'postgres' ? 520n : 260n)
          },
          1,
        )
      })
    })
  })
}

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      test('a statement that is kept prepared sees a column that was added', async () => {
        await onFreshDatabase(
          engine,
          async ({ connect }) => {
            const [executor, other] = [connect(), connect()]
            await executor.execute(sql('create table thing (id bigint not null primary key)'))
            await executor.execute(sql('insert into thing values (1)'))
            const read = async () =>
              (await executor.execute(sql('select * from thing where id = ?', 1n))).rows[0]
            for (let i = 0; i < 3; i++) expect({ ...(await read()) }).toEqual({ id: 1n })
            await other.execute(sql('alter table thing add column n bigint'))
            await other.execute(sql('update thing set n = 7'))
            for (let i = 0; i < 3; i++) expect({ ...(await read()) }).toEqual({ id: 1n, n: 7n })
            const inside = executor.transaction(
              async (tx) => (await tx.execute(sql('select * from thing'))).rows,
            )
            expect((await inside).map((row) => ({ ...row }))).toEqual([{ id: 1n, n: 7n }])
          },
          1,
        )
      })

      test('while columns are added under load, nobody is given what another has asked for', async () => {
        await onFreshDatabase(
          engine,
          async ({ connect }) => {
            const [executor, other] = [connect(), connect()]
            await executor.execute(sql('create table thing (id bigint not null primary key)'))
            const ids = Array.from({ length: 12 }, (_, i) => BigInt(i + 1))
            for (const id of ids) await executor.execute(sql('insert into thing values (?)', id))
            let columns = 0
            const ask = async (id: bigint): Promise<void> => {
              while (columns < 12) {
                const { rows } = await executor.execute<{ id: bigint }>(
                  sql('select * from thing where id = ?', id),
                )
                expect(rows.map((row) => row.id)).toEqual([id])
              }
            }
            const add = async (): Promise<void> => {
              for (; columns < 12; columns++)
                await other.execute(sql(`alter table thing add column c${columns} bigint`))
            }
            await Promise.all([...ids.map(ask), add()])
          },
          1,
        )
      })
    })
  })
}
