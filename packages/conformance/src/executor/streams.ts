import assert from 'node:assert/strict'
import type { Executor } from '@shard/core'
import { type Check, items, rejects, rowsOf, sql } from './check.ts'

const all = 'select id, n from items order by id desc'

async function drain(executor: Executor, text: string, signal?: AbortSignal): Promise<unknown[]> {
  const rows: unknown[] = []
  for await (const row of executor.stream(sql(text), { signal })) rows.push({ ...row })
  return rows
}

export function streams(test: Check): void {
  test('a stream gives every row, in order, read like any other', async (executor) => {
    await items(executor, 2_100)
    const rows = await drain(executor, all)
    assert.deepEqual(rows, await rowsOf(executor, all))
    assert.equal(rows.length, 2_100)
    assert.deepEqual(rows[0], { id: 2_100n, n: 2_100 })
    assert.deepEqual(await drain(executor, 'select id from items where id < 0'), [])
  })

  test('a stream takes parameters, and runs when it is read', async (executor) => {
    await items(executor, 20)
    const stream = executor.stream(sql('select id from items where id > ? order by id', 18n))
    const rows: unknown[] = []
    for await (const row of stream) rows.push({ ...row })
    assert.deepEqual(rows, [{ id: 19n }, { id: 20n }])
  })

  test('a column may be named as engines name the number of a row', async (executor) => {
    await items(executor, 1_100)
    const text = 'select 1000 - id as rowid, n from items order by id'
    const rows = await drain(executor, text)
    assert.equal(rows.length, 1_100)
    assert.deepEqual(rows[1_099], { rowid: -100n, n: 1_100 })
  })

  test('a loop that is left early frees what it held', async (executor) => {
    await items(executor, 2_100)
    for (let i = 0; i < 30; i++) {
      for await (const _ of executor.stream(sql(all))) break
    }
    await executor.execute(sql('insert into items (id) values (0)'))
    assert.equal((await rowsOf(executor, 'select id from items')).length, 2_101)
  })

  test('a stream sees the rows as they stood when its first was read', async (executor) => {
    await items(executor, 1_200)
    const rows = await drain(executor, all)
    await executor.execute(sql('delete from items'))
    assert.equal(rows.length, 1_200)
  })

  test('a stream that fails says so at its first row', async (executor) => {
    await items(executor, 1)
    const call = executor.transaction((tx) => drain(tx, 'select nothing from items'))
    await rejects(call, 'QUERY_FAILED')
    assert.equal((await drain(executor, all)).length, 1)
  })

  test('inside a transaction other calls are refused until the loop ends', async (executor) => {
    await items(executor, 1_200)
    await executor.transaction(async (tx) => {
      for await (const _ of tx.stream(sql(all))) {
        await rejects(tx.execute(sql('select 1 as one')), 'TRANSACTION_BUSY')
        break
      }
      await tx.execute(sql('insert into items (id) values (0)'))
    })
    assert.equal((await rowsOf(executor, 'select id from items')).length, 1_201)
  })
}
