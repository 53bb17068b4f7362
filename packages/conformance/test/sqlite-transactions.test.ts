import { AsyncLocalStorage } from 'node:async_hooks'
import { type Executor, isShardError, type Statement } from '@shard/core'
import { sqliteExecutor } from '@shard/core/sqlite'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { sqliteFolder } from './sqlite-folder.ts'

const folder = sqliteFolder()
const q = (sql: string, ...parameters: unknown[]): Statement => ({ sql, parameters })
const coded = (code: string) => (error: unknown) => isShardError(error, code as never)
const insert = (id: number): Statement => q('insert into t values (?)', id)
const mine = new Error('mine')

async function table(): Promise<Executor> {
  const executor = folder.connect('one')
  await executor.execute(q('create table t (id integer primary key)'))
  return executor
}

async function ids(executor: Executor): Promise<unknown[]> {
  return (await executor.execute<{ id: number }>(q('select id from t order by id'))).rows.map(({ id }) => id)
}

test('a transaction commits as a whole', async () => {
  const executor = await table()
  const value = await executor.transaction(async (tx) => {
    await tx.execute(insert(1))
    await tx.execute(insert(2))
    expect(await ids(tx)).toEqual([1, 2])
    return 'value'
  })
  expect(value).toBe('value')
  await folder.closeAll()
  expect(await ids(folder.connect('one'))).toEqual([1, 2])
})

test.each([
  ['its work throws', async () => Promise.reject(mine)],
  ['a statement fails', (tx: Executor) => tx.execute(q('insert into missing values (1)'))],
])('a transaction rolls back as a whole when %s', async (_, fail) => {
  const executor = await table()
  const failing = executor.transaction(async (tx) => {
    await tx.execute(insert(1))
    await fail(tx)
  })
  await expect(failing).rejects.toBeDefined()
  expect(await ids(executor)).toEqual([])
  await executor.execute(insert(2))
})

test('one that is aborted meanwhile rolls back', async () => {
  const executor = await table()
  const controller = new AbortController()
  const failing = executor.transaction(
    async (tx) => {
      await tx.execute(insert(1))
      controller.abort()
    },
    { signal: controller.signal },
  )
  await expect(failing).rejects.toSatisfy(coded('ABORTED'))
  expect(await ids(executor)).toEqual([])
})

describe('a nested transaction', () => {
  test('that rolls back keeps what the outer one did, before and after', async () => {
    const executor = await table()
    await executor.transaction(async (tx) => {
      await tx.execute(insert(1))
      const inner = tx.transaction(async (nested) => {
        await nested.execute(insert(2))
        await nested.transaction((deep) => deep.execute(insert(3)))
        throw mine
      })
      await expect(inner).rejects.toBe(mine)
      await tx.execute(insert(4))
    })
    expect(await ids(executor)).toEqual([1, 4])
  })

  test('that ended well goes with the outer one', async () => {
    const executor = await table()
    const outer = executor.transaction(async (tx) => {
      await tx.transaction((nested) => nested.execute(insert(1)))
      throw mine
    })
    await expect(outer).rejects.toBe(mine)
    expect(await ids(executor)).toEqual([])
  })

  test('a statement that failed inside it leaves it as it was', async () => {
    const executor = await table()
    await executor.transaction(async (tx) => {
      await tx.execute(insert(1))
      await expect(tx.execute(insert(1))).rejects.toSatisfy(coded('UNIQUE_VIOLATION'))
      await tx.execute(insert(2))
    })
    expect(await ids(executor)).toEqual([1, 2])
  })
})

describe('others meanwhile', () => {
  test('statements, streams and transactions from outside wait for the end', async () => {
    const executor = await table()
    let release = (): void => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    const order: string[] = []
    const first = executor.transaction(async (tx) => {
      await tx.execute(insert(1))
      await held
      order.push('end')
      throw mine
    })
    const failed = first.catch(() => {})
    const read = async (): Promise<void> => {
      for await (const _ of executor.stream(q('select count(*) from t'))) order.push('stream')
    }
    const others = [
      executor.execute(insert(2)).then(() => order.push('statement')),
      read(),
      executor.transaction((tx) => tx.execute(insert(3))).then(() => order.push('transaction')),
    ]
    await new Promise((resolve) => setImmediate(resolve))
    expect(order).toEqual([])
    release()
    await failed
    await Promise.all(others)
    expect(order[0]).toBe('end')
    expect(order.slice(1).sort()).toEqual(['statement', 'stream', 'transaction'])
    expect(await ids(executor)).toEqual([2, 3])
  })

  test('a wait for the turn ends when it is aborted', async () => {
    const executor = await table()
    const controller = new AbortController()
    await executor.transaction(async (tx) => {
      const waiting = new Promise<unknown>((resolve) => {
        // From outside the transaction's own async context, as another request would call.
        outside(() => executor.execute(insert(9), { signal: controller.signal }).catch(resolve))
      })
      await new Promise((resolve) => setImmediate(resolve))
      controller.abort()
      expect(await waiting).toMatchObject({ code: 'ABORTED' })
      await tx.execute(insert(1))
    })
    expect(await ids(executor)).toEqual([1])
  })

  test('the outer executor inside its own transaction is TRANSACTION_BUSY, not a wait for ever', async () => {
    const executor = await table()
    const busy = coded('TRANSACTION_BUSY')
    await executor.transaction(async (tx) => {
      await expect(executor.execute(insert(1))).rejects.toSatisfy(busy)
      await expect(executor.transaction(async () => {})).rejects.toSatisfy(busy)
      await expect(executor.stream(q('select 1'))[Symbol.asyncIterator]().next()).rejects.toSatisfy(busy)
      await tx.transaction(async () => {
        await expect(tx.execute(insert(1))).rejects.toSatisfy(busy)
      })
      await tx.execute(insert(2))
    })
    expect(await ids(executor)).toEqual([2])
  })

  test('an inner executor that outlives its transaction is CLOSED', async () => {
    const executor = await table()
    let kept: Executor | undefined
    await executor.transaction(async (tx) => {
      kept = tx
    })
    await expect(kept?.execute(insert(1))).rejects.toSatisfy(coded('CLOSED'))
    expect(await ids(executor)).toEqual([])
  })
})

test.each([
  'begin',
  'BEGIN IMMEDIATE',
  '/* x */ begin',
  'savepoint a',
  'commit',
  'rollback',
  'release a',
  'end',
])('the statement %j is refused, outside and inside a transaction, which it leaves alone', async (sql) => {
  const executor = await table()
  await expect(executor.execute(q(sql))).rejects.toSatisfy(coded('INVALID_ARGUMENT'))
  const failing = executor.transaction(async (tx) => {
    await tx.execute(insert(1))
    await expect(tx.execute(q(sql))).rejects.toSatisfy(coded('INVALID_ARGUMENT'))
    const reading = tx.stream(q(sql))[Symbol.asyncIterator]().next()
    await expect(reading).rejects.toSatisfy(coded('INVALID_ARGUMENT'))
    throw mine
  })
  await expect(failing).rejects.toBe(mine)
  expect(await ids(executor)).toEqual([])
})

describe('after the engine itself has rolled back, nothing more runs', () => {
  const rollback = q('insert or rollback into t values (1)')

  test.each<[string, (tx: Executor) => Promise<unknown>]>([
    ['a statement', (tx) => tx.execute(insert(7))],
    ['a stream', (tx) => tx.stream(q('select 7'))[Symbol.asyncIterator]().next()],
    ['a nested transaction', (tx) => tx.transaction((nested) => nested.execute(insert(7)))],
  ])('%s', async (_, later) => {
    const executor = await table()
    const failing = executor.transaction(async (tx) => {
      await tx.execute(insert(1))
      await expect(tx.execute(rollback)).rejects.toSatisfy(coded('UNIQUE_VIOLATION'))
      await expect(later(tx)).rejects.toMatchObject({ code: 'QUERY_FAILED', outcome: 'not-applied' })
    })
    await expect(failing).rejects.toMatchObject({ outcome: 'not-applied' })
    expect(await ids(executor)).toEqual([])
    await executor.execute(insert(8))
    expect(await ids(executor)).toEqual([8])
  })

  test('in the inner of two, neither it nor the outer one', async () => {
    const executor = await table()
    const failing = executor.transaction(async (tx) => {
      await tx.execute(insert(1))
      const inner = tx.transaction(async (nested) => {
        await nested.execute(rollback).catch(() => {})
        await nested.execute(insert(7))
      })
      await expect(inner).rejects.toSatisfy(isShardError)
      await expect(tx.execute(insert(7))).rejects.toSatisfy(isShardError)
    })
    await expect(failing).rejects.toSatisfy(isShardError)
    expect(await ids(executor)).toEqual([])
  })
})

test('a database that is inside a transaction already is refused', () => {
  const database = new Database(':memory:')
  database.exec('begin')
  expect(() => sqliteExecutor(database)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }))
  database.close()
})

/** Runs `work` with the async context of this file, not of its caller. */
const outside = AsyncLocalStorage.snapshot()
