import { IdAllocator } from '@shard/core'
import type { ShardRegistry } from '@shard/registry'
import { describe, expect, test } from 'vitest'
import { type Child, withChildren } from './children.ts'
import type { SharedDatabase } from './connected-database.ts'
import { type Database, databases, withServer } from './databases.ts'
import { placerOn } from './placers.ts'
import type { Work } from './placing-process.ts'
import { registryOn } from './registry-hosts.ts'
import { onSharedDatabase } from './shared-database.ts'

/** Keys after which a shard is full; each key is one byte. */
const ROOM = 25
const PROCESSES = 4
const KEYS = 40
/** Starting processes takes long on a busy machine. */
const long = { timeoutMs: 170_000 }

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => placing(engine))
  })
}

async function fleet({ connect }: SharedDatabase, standbys: number): Promise<ShardRegistry> {
  const global = connect()
  const table = 'create table placed (id bigint not null primary key, shard integer not null)'
  await global.execute({ sql: table, parameters: [] })
  const registry = registryOn(global)
  for (let id = 1; id <= standbys; id++) {
    const maxBytes = BigInt(ROOM)
    await registry.register({ id, name: `${id}`, status: 'standby', maxBytes, admitThreshold: 1 })
  }
  return registry
}

function placing(engine: Database): void {
  const onFleet = (
    name: string,
    standbys: number,
    body: (registry: ShardRegistry, database: SharedDatabase) => Promise<void>,
  ) =>
    test(
      name,
      () => onSharedDatabase(engine, async (database) => body(await fleet(database, standbys), database)),
      long.timeoutMs,
    )

  onFleet(
    'four processes fill shard after shard: one promotion a fill, no error, no key lost',
    12,
    async (registry, { url }) => {
      const workOf = (i: number): Work => ({ url, process: i + 1, keys: KEYS, cacheTtlMs: 0 })
      const place = (children: readonly Child[]) =>
        Promise.all(children.map((child, i) => child.ask<number[]>(workOf(i))))
      const used = await withChildren('placing-process.ts', PROCESSES, place, long)
      await checkFills(registry, used)
    },
  )

  onFleet(
    'two placers that both find the shard full promote once, in 20 rounds',
    21,
    async (registry, db) => {
      const placers = ['a', 'b'].map(() => placerOn(db.connect(), new IdAllocator(), 0))
      for (let id = 1; id <= 20; id++) {
        const placed = await Promise.all(placers.map((placer) => placer.place()))
        expect(placed.map(({ shard }) => shard)).toEqual([id, id])
        await registry.measure(id, BigInt(ROOM))
      }
      const shards = await registry.list()
      expect(shards.filter(({ status }) => status === 'sealed')).toHaveLength(19)
      expect(shards.filter(({ status }) => status === 'active')).toHaveLength(1)
    },
  )

  onFleet('two placers begin a new fleet with one shard', 3, async (registry, { connect }) => {
    const placers = ['a', 'b'].map(() => placerOn(connect(), new IdAllocator(), 1_000))
    const placed = await Promise.all(placers.map((placer) => placer.place()))
    expect(placed.map(({ shard }) => shard)).toEqual([1, 1])
    expect((await registry.list()).map(({ status }) => status)).toEqual(['active', 'standby', 'standby'])
  })
}

async function checkFills(registry: ShardRegistry, used: readonly number[][]): Promise<void> {
  expect(used.flat()).toHaveLength(PROCESSES * KEYS)
  const shards = await registry.list()
  const sealed = shards.filter(({ status }) => status === 'sealed')
  const active = shards.filter(({ status }) => status === 'active')
  expect(sealed.length).toBeGreaterThanOrEqual(Math.floor((PROCESSES * KEYS) / (ROOM + PROCESSES)) - 1)
  expect(active.map(({ id }) => id)).toEqual([sealed.length + 1])
  for (const { id, successorId } of sealed) {
    expect(successorId).toBe(id + 1)
    expect((await registry.history(id)).map(({ to }) => to)).toEqual(['standby', 'active', 'sealed'])
  }
  for (const { id } of sealed) {
    const size = used.flat().filter((shard) => shard === id).length
    expect(size).toBeGreaterThanOrEqual(ROOM)
    // The others can have seen the room that one took.
    expect(size).toBeLessThan(ROOM + PROCESSES)
  }
}
