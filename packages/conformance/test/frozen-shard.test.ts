import { type Executor, fanOut, ShardCodec, ShardedExecutor, staticCatalog } from '@shard/core'
import { describe, expect, test } from 'vitest'
import { withServer } from './databases.ts'
import { behindProxy, outcomeOf, servers, sql } from './faulty-servers.ts'

const SHARDS = 8
const FROZEN = 5
const which = sql('select n from entry')

for (const engine of servers) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      test('[H4] one shard of eight stands still: the others answer, and it is named', async () => {
        await behindProxy(engine, async ({ proxy, direct, open }) => {
          await direct.execute(sql('insert into entry (id, n) values (1, 1)'))
          // One database stands for all: what matters is which way it is reached.
          const shards = new Map(Array.from({ length: SHARDS }, (_, i): [number, Executor] => [i, direct]))
          const frozen = open(1)
          shards.set(FROZEN, frozen)
          const catalog = staticCatalog({ global: direct, shards })
          const executor = new ShardedExecutor({ catalog, locator: ShardCodec.default, family: 'users' })
          const ask = (onFailure: 'throw' | 'partial') =>
            fanOut(executor, which, { onFailure, timeoutMs: 100, concurrency: SHARDS })

          expect((await ask('throw')).shards).toHaveLength(SHARDS)
          proxy.stall()
          const { shards: answered, failures } = await ask('partial')
          expect(answered).toEqual([0, 1, 2, 3, 4, 6, 7])
          expect(failures.map(({ shard }) => shard)).toEqual([FROZEN])
          await expect(ask('throw')).rejects.toMatchObject({
            code: 'INCOMPLETE_FAN_OUT',
            timedOut: [FROZEN],
            failed: [],
            unavailable: [],
          })
          await proxy.pass()
          expect(await outcomeOf(frozen.execute(which))).toBe('ok')
          expect((await ask('throw')).shards).toHaveLength(SHARDS)
        })
      })
    })
  })
}
