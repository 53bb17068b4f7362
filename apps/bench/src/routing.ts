import {
  type Executor,
  HashLocator,
  hashKey,
  MovedLocator,
  ShardCodec,
  SlotLocator,
  staticCatalog,
} from '@shard/core'
import { sqliteExecutor } from '@shard/core/sqlite'
import Database from 'better-sqlite3'
import type { Comparison, Contestant } from './side-by-side.ts'

const SHARDS = 64

/** From an id, or a text, to its shard: all checks on. */
export function routing(): Comparison[] {
  const codec = ShardCodec.default
  const shard = sqliteExecutor(new Database(':memory:'))
  const shards = new Map<number, Executor>(Array.from({ length: SHARDS }, (_, i) => [i, shard]))
  const catalog = staticCatalog({ global: shard, shards })
  const ids = Array.from({ length: 1_024 }, (_, i) => codec.compose(i % SHARDS, BigInt(i) * 1_234_567n))
  const texts = ids.map((_, i) => `person${i}@example.com`)
  const hash = new HashLocator(SHARDS)
  const slots = SlotLocator.spread([...shards.keys()])
  const moved = new MovedLocator(codec, new Map(ids.slice(0, 10).map((id) => [id, 1])))
  return [
    {
      title: 'From a key to its shard (64 shards)',
      batch: 20_000,
      rounds: 100,
      contestants: [
        over('a Map, by Number(id >> 52n)', ids, (id) => shards.get(Number(id >> 52n))),
        over('shardOf and the catalog', ids, (id) => catalog.shard(codec.shardOf(id))),
        over('shardOf', ids, (id) => codec.shardOf(id)),
        over('HashLocator.locate', ids, (id) => hash.locate(id)),
        over('SlotLocator.locate', ids, (id) => slots.locate(id)),
        over('MovedLocator.locate, 10 moved', ids, (id) => moved.locate(id)),
        over('hashKey, 20 characters', texts, (text) => hashKey(text)),
      ],
      close: () => catalog.close(),
    },
  ]
}

function over<T>(name: string, values: readonly T[], call: (value: T) => unknown): Contestant {
  let last: unknown
  return {
    name,
    run(batch) {
      for (let i = 0; i < batch; i++) last = call(values[i & 1_023] as T)
    },
    remark: () => (last === undefined ? 'found nothing' : ''),
  }
}
