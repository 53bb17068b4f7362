import type { Executor } from '@shard/core'
import type { ColumnType, Generated, Kysely, Transaction } from 'kysely'
import { describe, expectTypeOf, test } from 'vitest'
import { fanOut } from '../src/fan-out.ts'
import { kyselyOf } from '../src/kysely-of.ts'
import { onShard, withRoute } from '../src/routes.ts'
import type { ShardDialectOptions } from '../src/shard-dialect.ts'
import type { ShardTables } from '../src/tables.ts'

interface Tables {
  accounts: { id: Generated<bigint>; email: string }
  messages: { id: bigint; account_id: ColumnType<bigint, bigint, never>; body: string }
  profiles: { handle: string; bio: string }
  plans: { id: number }
}

type Accepted<T> = T extends ShardTables<Tables> ? true : false

describe('the tables of a dialect', () => {
  test('take the key among the columns', () => {
    expectTypeOf<
      Accepted<{ accounts: { shardKey: 'id' }; messages: { shardKey: 'account_id' } }>
    >().toEqualTypeOf<true>()
    expectTypeOf<Accepted<{ plans: 'global' }>>().toEqualTypeOf<true>()
    expectTypeOf<Accepted<{ profiles: { shardKey: 'handle'; keyType: 'text' } }>>().toEqualTypeOf<true>()
  })

  test('take no other key', () => {
    expectTypeOf<Accepted<{ accounts: { shardKey: 'account_id' } }>>().toEqualTypeOf<false>()
    expectTypeOf<Accepted<{ accounts: { shardKey: 'email' } }>>().toEqualTypeOf<false>()
    expectTypeOf<Accepted<{ profiles: { shardKey: 'handle' } }>>().toEqualTypeOf<false>()
    expectTypeOf<Accepted<{ accounts: { shardKey: 'id'; keyType: 'text' } }>>().toEqualTypeOf<false>()
    expectTypeOf<Accepted<{ plans: 'local' }>>().toEqualTypeOf<false>()
  })

  test('know no table but the database has it', () => {
    const options: ShardDialectOptions<Tables> = {
      executor: {} as Executor,
      // @ts-expect-error there is no such table
      tables: { acounts: { shardKey: 'id' } },
    }
    expectTypeOf(options).toEqualTypeOf<ShardDialectOptions<Tables>>()
  })
})

test('what is told where to go keeps its type', () => {
  expectTypeOf(onShard<Kysely<Tables>>).returns.toEqualTypeOf<Kysely<Tables>>()
  expectTypeOf(withRoute<Transaction<Tables>>).returns.toEqualTypeOf<Transaction<Tables>>()
  expectTypeOf(kyselyOf<Tables>).returns.toEqualTypeOf<Kysely<Tables>>()
})

test('a fan-out gives the rows of its query', () => {
  const asking = (db: Kysely<Tables>) => fanOut(db, db.selectFrom('messages').select(['id', 'body']))
  expectTypeOf(asking).returns.resolves.toHaveProperty('rows')
  expectTypeOf<Awaited<ReturnType<typeof asking>>['rows']>().toEqualTypeOf<
    readonly { id: bigint; body: string }[]
  >()
})
