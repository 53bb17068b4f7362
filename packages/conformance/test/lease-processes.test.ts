import { leases } from '@shard/sql'
import { describe, expect, test } from 'vitest'
import { withChildren } from './children.ts'
import { databases, withServer } from './databases.ts'
import { freshDatabase, openDatabase } from './fresh-database.ts'
import type { LeaseHeat } from './lease-racer.ts'

const TURNS = 15

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      test('four processes take turns at one lease, one is killed while it holds it: no epoch comes twice', async () => {
        const { url, drop } = await freshDatabase(engine)
        const executor = openDatabase(url)
        const table = 'create table entry (epoch bigint not null primary key, owner varchar(9) not null)'
        await executor.execute({ sql: table, parameters: [] })
        const heats = ['a', 'b', 'c', 'd'].map(
          (owner): LeaseHeat => ({ url, owner, turns: owner === 'a' ? 5 : TURNS, dies: owner === 'a' }),
        )
        const answers = await withChildren('lease-racer.ts', heats.length, async ([dying, ...others]) => {
          const last = others.map((child, i) => child.ask<string[] | string>(heats[i + 1]))
          const first = await dying?.ask<string[] | string>(heats[0])
          dying?.kill()
          return [first, ...(await Promise.all(last))]
        })
        expect(answers.map((answer) => (Array.isArray(answer) ? answer.length : answer))).toEqual([
          5,
          TURNS,
          TURNS,
          TURNS,
        ])
        for (const epochs of answers as string[][])
          expect(epochs).toEqual([...epochs].sort((a, b) => Number(BigInt(a) - BigInt(b))))
        expect(new Set((answers as string[][]).flat()).size).toBe(5 + 3 * TURNS)
        const last = await leases(executor).read('leader')
        expect(last?.epoch).toBe(50n)
        // Whoever was killed may have been the last.
        expect(last?.isHeld ? last.owner : 'a').toBe('a')
        await executor.close()
        await drop()
      })
    })
  })
}
