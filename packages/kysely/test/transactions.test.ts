import { type Executor, InvalidArgumentError } from '@shard/core'
import { describe, expect, test } from 'vitest'
import { holdTransaction } from '../src/driver/held-transaction.ts'
import { kyselyOf } from '../src/kysely-of.ts'
import { onGlobal, onShard, withRoute } from '../src/routes.ts'
import { fakeDatabase, shardedKysely, type Tables } from './fake-fleet.ts'

const message = { id: 1n, account_id: 5n, body: 'x', created_at: 1, parent_id: null }

describe('a transaction', () => {
  test('is on the shard of its first statement', async () => {
    const { db, calls } = shardedKysely()
    await db.transaction().execute(async (trx) => {
      await trx.insertInto('messages').values(message).execute()
      await trx.selectFrom('accounts').selectAll().where('id', '=', 9n).execute()
      await trx.selectFrom('countries').selectAll().execute()
      await trx.selectNoFrom((eb) => eb.lit(1).as('one')).execute()
      await onShard(trx, 1).selectFrom('accounts').selectAll().execute()
    })
    expect(calls.map(({ place, inTransaction }) => [place, inTransaction])).toEqual(Array(5).fill([1, true]))
  })

  test('takes no statement for another database', async () => {
    const { db, calls } = shardedKysely()
    const crossing = { code: 'CROSS_SHARD_TRANSACTION' }
    await db.transaction().execute(async (trx) => {
      await trx.insertInto('messages').values(message).execute()
      await expect(
        trx.selectFrom('accounts').selectAll().where('id', '=', 6n).execute(),
      ).rejects.toMatchObject(crossing)
      await expect(trx.selectFrom('plans').selectAll().execute()).rejects.toMatchObject(crossing)
      await expect(withRoute(trx, 6n).selectFrom('accounts').selectAll().execute()).rejects.toMatchObject(
        crossing,
      )
      await expect(onGlobal(trx).selectFrom('accounts').selectAll().execute()).rejects.toMatchObject(crossing)
      await expect(trx.selectFrom('accounts').selectAll().execute()).rejects.toMatchObject({
        code: 'UNROUTED',
      })
    })
    expect(calls).toHaveLength(1)
  })

  test('is not pinned by what only reads reference tables', async () => {
    const { db, calls } = shardedKysely()
    await db.transaction().execute(async (trx) => {
      await trx.selectFrom('countries').selectAll().execute()
      await trx.deleteFrom('messages').where('account_id', '=', 6n).execute()
    })
    expect(calls.map(({ place, inTransaction }) => [place, inTransaction])).toEqual([
      ['global', false],
      [2, true],
    ])
  })

  test('without a statement touches nothing', async () => {
    const { db, calls } = shardedKysely()
    expect(await db.transaction().execute(async () => 5)).toBe(5)
    expect(calls).toEqual([])
  })

  test('of statements at once is one', async () => {
    const { db, calls } = shardedKysely()
    await db
      .transaction()
      .execute((trx) =>
        Promise.all([
          trx.insertInto('messages').values(message).execute(),
          trx.deleteFrom('messages').where('account_id', '=', 9n).execute(),
        ]),
      )
    expect(calls.map(({ place }) => place)).toEqual([1, 1])
  })
})

describe('the outer Kysely inside of its own transaction', () => {
  test('is refused on the same database, where it could wait for ever, and free on others', async () => {
    const { db, calls } = shardedKysely()
    const find = (id: bigint) => db.selectFrom('accounts').selectAll().where('id', '=', id).execute()
    await db.transaction().execute(async (trx) => {
      await trx.insertInto('messages').values(message).execute()
      await expect(find(9n)).rejects.toMatchObject({ code: 'TRANSACTION_BUSY' })
      await find(6n)
      await db.selectFrom('plans').selectAll().execute()
    })
    await find(9n)
    expect(calls.map(({ place }) => place)).toEqual([1, 2, 'global', 1])
  })

  test('is not refused to others meanwhile', async () => {
    const { db } = shardedKysely()
    let go: () => void = () => {}
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    const transaction = db.transaction().execute(async (trx) => {
      await trx.insertInto('messages').values(message).execute()
      await gate
    })
    await db.selectFrom('accounts').selectAll().where('id', '=', 9n).execute()
    go()
    await transaction
  })
})

describe('on one database', () => {
  const log: string[] = []
  const noting = (name: string): Executor => ({
    ...fakeDatabase('postgres', 'global', []),
    execute: async (source) => {
      log.push(`${name}: ${(source as { sql: string }).sql}`)
      return { rows: [], affectedRows: 0n }
    },
    transaction: async (work) => {
      const inner = `${name}.`
      log.push(`${inner} begin`)
      try {
        const result = await work(noting(inner))
        log.push(`${inner} commit`)
        return result
      } catch (error) {
        log.push(`${inner} rollback`)
        throw error
      }
    },
  })

  test('savepoints are nested transactions, and can be gone back to again', async () => {
    log.length = 0
    const trx = await kyselyOf<Tables>(noting('db')).startTransaction().execute()
    const inner = await trx.savepoint('a').execute()
    await inner.deleteFrom('plans').execute()
    await inner.rollbackToSavepoint('a').execute()
    await inner.rollbackToSavepoint('a').execute()
    await inner.releaseSavepoint('a').execute()
    await trx.commit().execute()
    expect(log).toEqual([
      'db. begin',
      'db.. begin',
      'db..: delete from "plans"',
      'db.. rollback',
      'db.. begin',
      'db.. rollback',
      'db.. begin',
      'db.. commit',
      'db. commit',
    ])
  })

  test('an error rolls back from the inside out', async () => {
    log.length = 0
    const trx = await kyselyOf<Tables>(noting('db')).startTransaction().execute()
    await trx.deleteFrom('plans').execute()
    await trx.savepoint('a').execute()
    await trx.rollback().execute()
    expect(log).toEqual([
      'db. begin',
      'db.: delete from "plans"',
      'db.. begin',
      'db.. rollback',
      'db. rollback',
    ])
  })

  test('an isolation level is the first statement', async () => {
    log.length = 0
    const db = kyselyOf<Tables>(noting('db'))
    const serializable = db.transaction().setIsolationLevel('serializable').setAccessMode('read only')
    await serializable.execute((trx) => trx.selectFrom('plans').selectAll().execute())
    expect(log[1]).toBe('db.: set transaction isolation level serializable read only')
  })

  test('MySQL cannot set one that is open', async () => {
    const db = kyselyOf<Tables>(fakeDatabase('mysql', 'global', []))
    const call = db
      .transaction()
      .setIsolationLevel('serializable')
      .execute(async () => 1)
    await expect(call).rejects.toBeInstanceOf(InvalidArgumentError)
  })
})

test('a transaction that is run again after it could not be committed is an error', async () => {
  const twice = {
    transaction: async <T>(work: (tx: Executor) => Promise<T>): Promise<T> => {
      const tx = fakeDatabase('sqlite', 'global', [])
      await work(tx)
      return work(tx)
    },
  }
  const held = await holdTransaction(twice, {})
  await expect(held.commit()).rejects.toMatchObject({ code: 'QUERY_FAILED' })
})
