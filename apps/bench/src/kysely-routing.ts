import { type Executor, ShardCodec, ShardedExecutor, staticCatalog } from '@shard/core'
import { explainRoute, kyselyOf, ShardDialect } from '@shard/kysely'
import { type CompiledQuery, Kysely } from 'kysely'
import type { Comparison, Contestant } from './side-by-side.ts'

interface Tables {
  accounts: { id: bigint; name: string; country: string }
  messages: { id: bigint; account_id: bigint; body: string }
  attachments: { id: bigint; account_id: bigint; message_id: bigint; size: number }
}

const SHARDS = 64

/** What it costs that a join of three tables finds its shard: no database is behind it. */
export function kyselyRouting(): Comparison[] {
  const codec = ShardCodec.default
  const shard = silent()
  const shards = new Map<number, Executor>(Array.from({ length: SHARDS }, (_, i) => [i, shard]))
  const executor = new ShardedExecutor({
    catalog: staticCatalog({ global: shard, shards }),
    locator: codec,
    family: 'users',
  })
  const one = kyselyOf<Tables>(shard)
  const many = new Kysely<Tables>({
    dialect: new ShardDialect<Tables>({
      executor,
      tables: {
        accounts: { shardKey: 'id' },
        messages: { shardKey: 'account_id' },
        attachments: { shardKey: 'account_id' },
      },
    }),
  })
  const ids = Array.from({ length: 1_024 }, (_, i) => codec.compose(i % SHARDS, BigInt(i) + 1n))
  const compiled = ids.map((id) => join(many, id).compile())
  return [
    {
      title: 'A join of three tables, built by Kysely; the executor answers at once',
      batch: 500,
      rounds: 60,
      contestants: [
        running('one database: build, compile, run', ids, (id) => join(one, id).execute()),
        running('64 shards: build, compile, route, run', ids, (id) => join(many, id).execute()),
        running('one database: run what is compiled', compiled, (query) => one.executeQuery(query)),
        running('64 shards: route and run what is compiled', compiled, (query) => many.executeQuery(query)),
        explaining(many, compiled),
      ],
      close: () => executor.close(),
    },
  ]
}

function join(db: Kysely<Tables>, id: bigint) {
  return db
    .selectFrom('accounts as a')
    .innerJoin('messages as m', 'm.account_id', 'a.id')
    .leftJoin('attachments as x', (on) =>
      on.onRef('x.account_id', '=', 'm.account_id').onRef('x.message_id', '=', 'm.id'),
    )
    .select(['a.name', 'm.id', 'm.body', 'x.size'])
    .where('a.id', '=', id)
    .where('m.id', '>', 5n)
    .orderBy('m.id', 'desc')
    .limit(20)
}

function running<T>(name: string, values: readonly T[], call: (value: T) => Promise<unknown>): Contestant {
  return {
    name,
    async run(batch) {
      for (let i = 0; i < batch; i++) await call(values[i & 1_023] as T)
    },
  }
}

/** Routing alone, and the explanation on top. */
function explaining(db: Kysely<Tables>, compiled: readonly CompiledQuery[]): Contestant {
  let lost = 0
  return {
    name: 'explainRoute of what is compiled',
    run(batch) {
      for (let i = 0; i < batch; i++) {
        const query = compiled[i & 1_023] as CompiledQuery
        if (explainRoute(db, { compile: () => query }).place === null) lost++
      }
    },
    remark: () => (lost > 0 ? `${lost} not routed` : ''),
  }
}

/** An executor that has no database. */
function silent(): Executor {
  const answer = Promise.resolve({ rows: [], affectedRows: 0n })
  const executor: Executor = {
    dialect: 'sqlite',
    family: null,
    execute: () => answer,
    stream: () => ({
      [Symbol.asyncIterator]: () => ({ next: async () => ({ done: true, value: undefined }) }),
    }),
    transaction: (work) => work(executor),
    shardIds: () => [],
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  }
  return executor
}
