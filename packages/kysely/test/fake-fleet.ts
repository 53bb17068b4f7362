import {
  type CallOptions,
  type DialectName,
  type Executor,
  ShardedExecutor,
  type ShardLocator,
  type Statement,
  type StatementSource,
  staticCatalog,
} from '@shard/core'
import { Kysely, type KyselyPlugin } from 'kysely'
import { ShardDialect } from '../src/shard-dialect.ts'
import type { ShardTables } from '../src/tables.ts'

/** A call that one database of the fleet was given. */
export interface FakeCall {
  readonly place: number | 'global'
  readonly statement: Statement
  readonly inTransaction: boolean
}

/** The tables of the statements. */
export interface Tables {
  accounts: { id: bigint; email: string; name: string | null; plan_id: number; country: string }
  messages: { id: bigint; account_id: bigint; parent_id: bigint | null; body: string; created_at: number }
  attachments: { id: bigint; account_id: bigint; message_id: bigint; size: number }
  likes: { account_id: bigint; message_id: bigint; at: number }
  profiles: { handle: string; bio: string; account_id: bigint }
  avatars: { handle: string; url: string }
  plans: { id: number; name: string; price: number }
  countries: { code: string; name: string; plan_id: number }
}

export const tables: ShardTables<Tables> = {
  accounts: { shardKey: 'id' },
  messages: { shardKey: 'account_id' },
  attachments: { shardKey: 'account_id' },
  likes: { shardKey: 'account_id', uniqueKeysContainShardKey: true },
  profiles: { shardKey: 'handle', keyType: 'text' },
  avatars: { shardKey: 'handle', keyType: 'text' },
  plans: 'global',
  countries: 'reference',
}

/** Ids 1, 5, 9, ... live on shard 1, 2, 6, ... on shard 2, and so on. */
export const byFour: ShardLocator = { locate: (key) => Number(key % 4n) }

/** A fleet of four shards in which nothing is stored: it only writes down what it was given. */
export function fakeFleet(dialect: DialectName): { executor: ShardedExecutor; calls: FakeCall[] } {
  const calls: FakeCall[] = []
  const database = (place: number | 'global'): Executor => fakeDatabase(dialect, place, calls)
  const shards = new Map([0, 1, 2, 3].map((shard) => [shard, database(shard)]))
  const catalog = staticCatalog({ global: database('global'), shards })
  return { executor: new ShardedExecutor({ catalog, locator: byFour, family: 'users' }), calls }
}

/** One database that gives no rows. */
export function fakeDatabase(
  dialect: DialectName,
  place: number | 'global',
  calls: FakeCall[],
  inTransaction = false,
): Executor {
  const note = (source: StatementSource): void => {
    const statement = typeof source === 'function' ? source(dialect) : source
    calls.push({ place, statement, inTransaction })
  }
  return {
    dialect,
    family: null,
    async execute(source) {
      note(source)
      return { rows: [], affectedRows: 1n }
    },
    async *stream<Row>(source: StatementSource) {
      note(source)
      yield* [] as Row[]
    },
    transaction: <T>(work: (tx: Executor) => Promise<T>, _options?: CallOptions) =>
      work(fakeDatabase(dialect, place, calls, true)),
    shardIds: () => [],
    close: async () => {},
    [Symbol.asyncDispose]: async () => {},
  }
}

/** A Kysely over a fake fleet. */
export function shardedKysely(
  dialect: DialectName = 'sqlite',
  plugins: KyselyPlugin[] = [],
): { db: Kysely<Tables>; calls: FakeCall[]; executor: ShardedExecutor } {
  const { executor, calls } = fakeFleet(dialect)
  const db = new Kysely<Tables>({ dialect: new ShardDialect<Tables>({ executor, tables }), plugins })
  return { db, calls, executor }
}
