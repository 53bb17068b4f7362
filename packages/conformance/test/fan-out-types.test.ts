import { aggregate, fanOut } from '@shard/core'
import { describe, expect, test } from 'vitest'
import { sql } from '../src/executor/check.ts'
import { type Database, databases, withServer } from './databases.ts'
import { bothWays, onFleet, readEveryWay, run } from './fan-out-reading.ts'

const [sqlite, postgres, mariadb] = databases as [Database, Database, Database]
const all = sql('select * from t')
const ids = (...numbers: number[]): bigint[] => numbers.map(BigInt)

describe('SQLite columns whose values are not of their affinity', () => {
  const union = 'select id, n as v from a union all select id, s as v from b'
  const expected = ids(6, 1, 2, 3, 4, 5, 7)

  test.each([
    ['of a compound select', union],
    ['of a view over one', 'select * from V_all'],
    ['of a view over a view', 'select id, v from v_outer'],
  ])('%s', async (_, text) => {
    await onFleet(sqlite, 2, async (executor) => {
      await run(
        executor,
        'all',
        'create table a (id bigint, n integer)',
        'create table b (id bigint, s text)',
        `create view v_all as ${union}`,
        'create view v_outer as select * from v_all',
      )
      await run(
        executor,
        0,
        'insert into a values (1, 1), (3, 20), (6, null)',
        "insert into b values (4, '10')",
      )
      await run(executor, 1, 'insert into a values (2, 5)', "insert into b values (5, '2'), (7, 'x')")
      for (const orderBy of bothWays('v')) {
        const got = await readEveryWay(executor, sql(text), orderBy)
        expect(got).toEqual(orderBy[0]?.direction === 'asc' ? expected : [...expected].reverse())
      }
    })
  })

  test('of shards on their way from one type to another', async () => {
    await onFleet(sqlite, 2, async (executor) => {
      await run(
        executor,
        0,
        'create table t (id bigint, v integer)',
        'insert into t values (1, 5), (2, 10), (3, 90)',
      )
      await run(
        executor,
        1,
        'create table t (id bigint, v text)',
        "insert into t values (4, '1'), (5, '7'), (6, 'a')",
      )
      for (const orderBy of bothWays('v')) {
        const got = await readEveryWay(executor, all, orderBy)
        const rising = ids(1, 2, 3, 4, 5, 6)
        expect(got).toEqual(orderBy[0]?.direction === 'asc' ? rising : rising.reverse())
      }
    })
  })

  test('a whole number is in one group, stored as an integer or as a double', async () => {
    await onFleet(sqlite, 2, async (executor) => {
      await run(executor, 'all', 'create table t (v)')
      await run(executor, 0, 'insert into t values (1152921504606846976.0), (1), (0.5)')
      await run(executor, 1, "insert into t values (1152921504606846976), (1.0), ('1')")
      const groups = await aggregate(executor, all, { count: true, groupBy: ['v'] })
      expect(groups.map(({ count }) => count).sort()).toEqual([1n, 1n, 2n, 2n])
    })
  })

  test('the sum of infinity and less infinity is what one table has: null', async () => {
    await onFleet(sqlite, 3, async (executor) => {
      await run(executor, 'all', 'create table t (v real)')
      await run(executor, 0, 'insert into t values (9e999), (-9e999)')
      await run(executor, 1, 'insert into t values (5)')
      expect(await aggregate(executor, all, { sum: ['v'] })).toMatchObject([{ sum: { v: null } }])
      await run(executor, 0, 'delete from t where v < 0')
      expect(await aggregate(executor, all, { sum: ['v'] })).toMatchObject([{ sum: { v: Infinity } }])
    })
  })
})

withServer('postgres', postgres.availability, () => {
  describe('PostgreSQL', () => {
    test('numbers of every kind, NaN and infinity included', async () => {
      await onFleet(postgres, 2, async (executor) => {
        await run(executor, 'all', 'create table t (id bigint, v numeric, d double precision, r real)')
        await run(executor, 0, "insert into t values (1, '-Infinity', 'NaN', 0.1), (2, '-5', 0.1, 0.3)")
        await run(executor, 0, "insert into t values (3, '1.0', '-0', '-0'), (4, 'NaN', null, 'NaN')")
        await run(executor, 1, "insert into t values (5, '-7', '-Infinity', 0.2), (6, '1.00', 0, 0)")
        await run(
          executor,
          1,
          "insert into t values (7, 'Infinity', 'Infinity', null), (8, null, 1e-300, 1e30)",
        )
        const rising = {
          v: ids(8, 1, 5, 2, 3, 6, 7, 4),
          d: ids(4, 5, 3, 6, 8, 2, 7, 1),
          r: ids(7, 3, 6, 1, 5, 2, 8, 4),
        }
        for (const [column, expected] of Object.entries(rising)) {
          for (const orderBy of bothWays(column)) {
            const got = await readEveryWay(executor, all, orderBy)
            if (orderBy[0]?.direction === 'asc') expect(got).toEqual(expected)
            else
              expect(got.filter((id) => ![3n, 6n].includes(id))).toEqual(
                [...expected].reverse().filter((id) => ![3n, 6n].includes(id)),
              )
          }
        }
      })
    })

    test('figures of what is not finite, or no number', async () => {
      await onFleet(postgres, 2, async (executor) => {
        await run(executor, 'all', "create table t (v numeric, i interval default '1 hour')")
        await run(executor, 0, "insert into t values (1.0), ('NaN')")
        await run(executor, 1, "insert into t values (1.00), ('-Infinity')")
        const of = (where: string, options: object) =>
          aggregate(executor, sql(`select * from t where ${where}`), options)
        expect(await of('true', { sum: ['v'], min: ['v'], max: ['v'] })).toMatchObject([
          { sum: { v: 'NaN' }, min: { v: '-Infinity' }, max: { v: 'NaN' } },
        ])
        expect(await of("v <> 'NaN'", { avg: ['v'] })).toMatchObject([
          { avg: { v: { sum: '-Infinity', count: 3n } } },
        ])
        expect(await of('v = 1', { count: true, groupBy: ['v'] })).toMatchObject([{ count: 2n }])
        await expect(of('true', { sum: ['i'] })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
      })
    })

    test('char(n), whose blanks at the end are no part of a value', async () => {
      await onFleet(postgres, 2, async (executor) => {
        await run(executor, 'all', 'create table t (id bigint, v char(5))')
        await run(executor, 0, "insert into t values (1, 'a'), (2, 'a b'), (3, E'a\\t')")
        await run(executor, 1, "insert into t values (4, 'ab'), (5, 'A'), (6, '')")
        for (const orderBy of bothWays('v')) {
          const rising = ids(6, 5, 1, 3, 2, 4)
          const got = await readEveryWay(executor, all, orderBy)
          expect(got).toEqual(orderBy[0]?.direction === 'asc' ? rising : rising.reverse())
        }
        const [figures] = await aggregate(executor, all, { min: ['v'], max: ['v'] })
        expect(figures).toMatchObject({ min: { v: '     ' }, max: { v: 'ab   ' } })
      })
    })

    test('uuids, domains and enumerations, the last two if the caller says what they are', async () => {
      await onFleet(postgres, 2, async (executor) => {
        const at = (i: number): string => `${i}0000000-0000-0000-0000-00000000000a`
        await run(
          executor,
          'all',
          "create type mood as enum ('2', '10', 'b', 'a')",
          'create domain amount as numeric',
          'create table t (id bigint, u uuid, e mood, d amount)',
        )
        await run(executor, 0, `insert into t values (1, '${at(1)}', 'b', 10), (2, '${at(3)}', '2', 9)`)
        await run(executor, 1, `insert into t values (3, '${at(2)}', 'a', 9.5), (4, null, '10', null)`)
        expect(await readEveryWay(executor, all, [{ column: 'u' }, { column: 'id' }])).toEqual(
          ids(4, 1, 3, 2),
        )
        for (const column of ['e', 'd']) {
          const untyped = fanOut(executor, all, { orderBy: [{ column }] })
          await expect(untyped).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
        }
        const text = [{ column: 'e', type: 'text' as const }, { column: 'id' }]
        expect(await readEveryWay(executor, all, text)).toEqual(ids(4, 2, 3, 1))
        const number = [{ column: 'd', type: 'other' as const }, { column: 'id' }]
        expect(await readEveryWay(executor, all, number)).toEqual(ids(4, 2, 3, 1))
        const wrong = fanOut(executor, all, { orderBy: [{ column: 'e', type: 'other' }] })
        await expect(wrong).rejects.toMatchObject({ code: 'INCOMPLETE_FAN_OUT' })
      })
    })
  })
})

withServer('mariadb', mariadb.availability, () => {
  describe('MariaDB', () => {
    test('numbers that the driver rounds, or the engine would', async () => {
      await onFleet(mariadb, 2, async (executor) => {
        const big = `1${'0'.repeat(35)}`
        await run(
          executor,
          'all',
          'create table t (id bigint, v float, d double, n decimal(40, 0), s decimal(60, 30))',
        )
        await run(
          executor,
          0,
          `insert into t values (1, 16777216, 0.1, ${big}1, 1.1), (2, 16777218, 1e300, ${big}3, 1.2)`,
        )
        await run(executor, 0, `insert into t values (3, 0.1, -1e300, -${big}2, 0)`)
        await run(executor, 1, `insert into t values (4, 16777217.5, 0.30000000000000004, ${big}2, -1)`)
        await run(
          executor,
          1,
          'insert into t values (5, 0.3, 0.3, 7, 1.100000000000000000000000000001), (6, null, null, null, null)',
        )
        const rising = {
          v: ids(6, 3, 5, 1, 2, 4),
          d: ids(6, 3, 1, 5, 4, 2),
          n: ids(6, 3, 5, 1, 4, 2),
          s: ids(6, 4, 3, 1, 5, 2),
        }
        for (const [column, expected] of Object.entries(rising)) {
          for (const orderBy of bothWays(column)) {
            const got = await readEveryWay(executor, all, orderBy)
            if (orderBy[0]?.direction === 'asc') expect(got).toEqual(expected)
            else expect(new Set(got)).toEqual(new Set(expected))
          }
        }
        const groups = await aggregate(executor, all, { count: true, groupBy: ['v'] })
        expect(groups.map(({ count }) => count).sort()).toEqual([1n, 1n, 1n, 1n, 2n])
      })
    })

    test.each(['tm', 'j', 'b', 'dt'])('%s has no order that can be told: it is refused', async (column) => {
      await onFleet(mariadb, 2, async (executor) => {
        await run(executor, 'all', 'create table t (id bigint, tm time, j json, b bit(16), dt datetime)')
        await run(executor, 0, "insert into t values (1, '-10:00:00', '\"a b\"', b'101', now())")
        await run(executor, 1, "insert into t values (2, '100:00:00', '\"a\"', b'1000000000', now())")
        for (const limit of [undefined, 1]) {
          const reading = fanOut(executor, all, { orderBy: [{ column }], ...(limit && { limit }) })
          await expect(reading).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
        }
      })
    })

    test('texts that are alike as far as the engine sorts are refused, not put in any order', async () => {
      await onFleet(mariadb, 2, async (executor) => {
        const long = 'x'.repeat(1_021)
        await run(executor, 'all', 'create table t (id bigint, v longtext character set utf8mb4, b blob)')
        await run(
          executor,
          0,
          `insert into t values (1, '${long}b', '${long}b'), (2, '${long}a', '${long}a')`,
        )
        await run(
          executor,
          1,
          `insert into t values (3, 'y${long}', 'y${long}'), (4, 'z${long}', 'z${long}')`,
        )
        for (const column of ['v', 'b']) {
          const orderBy = [{ column }, { column: 'id' }]
          for (const limit of [1, 10]) {
            const reading = fanOut(executor, all, { orderBy, limit })
            await expect(reading).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
          }
          const differing = sql('select * from t where id > 2')
          expect(await readEveryWay(executor, differing, orderBy)).toEqual(ids(3, 4))
        }
        const groups = await aggregate(executor, all, { count: true, min: ['v'], groupBy: ['b'] })
        expect(groups).toHaveLength(4)
      })
    })
  })
})
