import assert from 'node:assert/strict'
import type { Executor } from '@shard/core'
import { type Check, items, rejects, rowsOf, sql } from './check.ts'

const insert = (executor: Executor, id: bigint) =>
  executor.execute(sql('insert into items (id) values (?)', id))
const idsOf = async (executor: Executor) =>
  (await rowsOf(executor, 'select id from items order by id')).map((row) => (row as { id: bigint }).id)

export function transactions(test: Check): void {
  test('a transaction gives what its work gives, and keeps what it wrote', async (executor) => {
    await items(executor, 0)
    const result = await executor.transaction(async (tx) => {
      await insert(tx, 1n)
      await insert(tx, 2n)
      return idsOf(tx)
    })
    assert.deepEqual(result, [1n, 2n])
    assert.deepEqual(await idsOf(executor), [1n, 2n])
  })

  test('work that throws leaves nothing, and its error is passed on', async (executor) => {
    await items(executor, 0)
    const error = new Error('no')
    const call = executor.transaction(async (tx) => {
      await insert(tx, 1n)
      throw error
    })
    await assert.rejects(call, (thrown) => thrown === error)
    assert.deepEqual(await idsOf(executor), [])
  })

  test('an inner transaction that throws is undone alone', async (executor) => {
    await items(executor, 0)
    await executor.transaction(async (tx) => {
      await insert(tx, 1n)
      const inner = tx.transaction(async (inner) => {
        await insert(inner, 2n)
        await inner.transaction((innermost) => insert(innermost, 3n))
        throw new Error('no')
      })
      await assert.rejects(inner)
      await tx.transaction((second) => insert(second, 4n))
    })
    assert.deepEqual(await idsOf(executor), [1n, 4n])
  })

  test('an inner transaction goes with the outer one', async (executor) => {
    await items(executor, 0)
    const outer = executor.transaction(async (tx) => {
      await tx.transaction((inner) => insert(inner, 1n))
      throw new Error('no')
    })
    await assert.rejects(outer)
    assert.deepEqual(await idsOf(executor), [])
  })

  test('a failed statement can be undone by the savepoint around it', async (executor) => {
    await items(executor, 1)
    await executor.transaction(async (tx) => {
      await insert(tx, 2n)
      await rejects(
        tx.transaction((inner) => insert(inner, 1n)),
        'UNIQUE_VIOLATION',
      )
      await insert(tx, 3n)
    })
    assert.deepEqual(await idsOf(executor), [1n, 2n, 3n])
  })

  test('after a failed statement the transaction is all there or it rejects', async (executor) => {
    await items(executor, 1)
    const call = executor.transaction(async (tx) => {
      await insert(tx, 2n)
      await insert(tx, 1n).catch(() => {})
    })
    const committed = await call.then(
      () => true,
      () => false,
    )
    assert.deepEqual(await idsOf(executor), committed ? [1n, 2n] : [1n])
  })

  test('statements given at once run one after the other, and end before the commit', async (executor) => {
    await items(executor, 0)
    await executor.transaction(async (tx) => {
      for (let id = 1n; id <= 20n; id++) void insert(tx, id)
    })
    assert.equal((await idsOf(executor)).length, 20)
  })

  test('a transaction that is over takes no more', async (executor) => {
    await items(executor, 0)
    const kept: Executor[] = []
    await executor.transaction(async (tx) => {
      kept.push(tx)
      await tx.transaction(async (inner) => void kept.push(inner))
    })
    for (const tx of kept) {
      await rejects(insert(tx, 1n), 'CLOSED')
      await rejects(
        tx.transaction(async () => {}),
        'CLOSED',
      )
    }
    assert.deepEqual(await idsOf(executor), [])
  })

  test('the outer executor refuses to be used inside its own transaction', async (executor) => {
    await items(executor, 0)
    await executor.transaction(async (tx) => {
      await rejects(insert(executor, 1n), 'TRANSACTION_BUSY')
      await rejects(
        executor.transaction(async () => {}),
        'TRANSACTION_BUSY',
      )
      await tx.transaction(async () => rejects(insert(tx, 2n), 'TRANSACTION_BUSY'))
    })
    assert.deepEqual(await idsOf(executor), [])
  })

  test('statements that begin or end a transaction are refused', async (executor) => {
    await items(executor, 0)
    const control = [
      'begin',
      ' COMMIT',
      '-- x\nrollback',
      '/* x */ savepoint a',
      ';start  transaction',
      'release a',
    ]
    await executor.transaction(async (tx) => {
      await insert(tx, 1n)
      for (const text of control) await rejects(tx.execute(sql(text)), 'INVALID_ARGUMENT')
    })
    for (const text of control) await rejects(executor.execute(sql(text)), 'INVALID_ARGUMENT')
    assert.deepEqual(await idsOf(executor), [1n])
  })
}
