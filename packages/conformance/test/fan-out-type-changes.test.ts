import { aggregate, fanOut } from '@shard/core'
import { expect, test } from 'vitest'
import { sql } from '../src/executor/check.ts'
import { type Database, databases, withServer } from './databases.ts'
import { onFleet, readEveryWay, run } from './fan-out-reading.ts'

const [, postgres, mariadb] = databases as [Database, Database, Database]
const all = sql('select * from t')
const ids = (...numbers: number[]): bigint[] => numbers.map(BigInt)

for (const [engine, alter] of [
  [postgres, 'alter table t alter column v type bigint using cast(v as bigint)'],
  [mariadb, 'alter table t modify v bigint'],
] as const) {
  withServer(engine.name, engine.availability, () => {
    test(`${engine.name}: a column whose type changes is noticed by every answer`, async () => {
      await onFleet(engine, 2, async (executor) => {
        await run(executor, 'all', 'create table t (id bigint, v varchar(20))')
        await run(executor, 0, "insert into t values (1, '10'), (2, '9')")
        await run(executor, 1, "insert into t values (3, '100'), (4, '8')")
        const statement = sql('select id, v from t')
        const orderBy = [{ column: 'v' }, { column: 'id' }]
        expect(await readEveryWay(executor, statement, orderBy)).toEqual(ids(1, 3, 4, 2))
        const first = await fanOut(executor, statement, { orderBy, limit: 1 })
        await run(executor, 0, alter)
        // One shard has numbers now and the other has text: there is no one order.
        await expect(fanOut(executor, statement, { orderBy })).rejects.toMatchObject({
          code: 'INVALID_ARGUMENT',
        })
        const figures = aggregate(executor, statement, { min: ['v'] })
        await expect(figures).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
        await run(executor, 1, alter)
        expect(await readEveryWay(executor, statement, orderBy)).toEqual(ids(4, 2, 1, 3))
        const [after] = await aggregate(executor, statement, { min: ['v'], max: ['v'] })
        expect(after).toMatchObject({ min: { v: 8n }, max: { v: 100n } })
        // A cursor from before speaks of text.
        const next = fanOut(executor, statement, { orderBy, limit: 1, after: first.cursor })
        await expect(next).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
      })
    })

    test(`${engine.name}: a type that has changed since the last page hides no rows`, async () => {
      await onFleet(engine, 2, async (executor) => {
        await run(executor, 'all', 'create table t (id bigint, v varchar(20))')
        await run(executor, 0, "insert into t values (1, '10')")
        await run(executor, 1, "insert into t values (2, '9')")
        const options = { orderBy: [{ column: 'v' }, { column: 'id' }], limit: 1 }
        const { cursor } = await fanOut(executor, all, options)
        await run(executor, 'all', alter, 'update t set v = 1 where id = 2')
        // As text nothing comes after 10 now; as a number there is no text to come after.
        const next = fanOut(executor, all, { ...options, after: cursor })
        await expect(next).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
      })
    })
  })
}
