import assert from 'node:assert/strict'
import type { Executor } from '@shard/core'
import { type Check, items, rowsOf, sql } from './check.ts'

/** A failed statement ends a transaction on some engines; a savepoint around it keeps the rest. */
async function fails(executor: Executor, text: string, code: string): Promise<void> {
  await assert.rejects(
    executor.transaction((tx) => tx.execute(sql(text))),
    { code, outcome: 'not-applied', retryable: false },
  )
}

export function errors(test: Check): void {
  test('a second row with a unique key is UNIQUE_VIOLATION', async (executor) => {
    await items(executor, 1)
    await fails(executor, 'insert into items (id) values (1)', 'UNIQUE_VIOLATION')
    await executor.execute(sql('create unique index items_name on items (name)'))
    await fails(executor, "insert into items (id, name) values (2, 'name 1')", 'UNIQUE_VIOLATION')
    assert.deepEqual(await rowsOf(executor, 'select id from items'), [{ id: 1n }])
  })

  test('a row that a rule of the table refuses is CONSTRAINT_VIOLATION', async (executor) => {
    await items(executor, 1)
    await fails(executor, 'insert into items (id, n) values (2, 1000001)', 'CONSTRAINT_VIOLATION')
    await fails(executor, 'insert into items (id) values (null)', 'CONSTRAINT_VIOLATION')
    assert.deepEqual(await rowsOf(executor, 'select id from items'), [{ id: 1n }])
  })

  test('what the engine does not understand is QUERY_FAILED, with its own error as the cause', async (executor) => {
    await items(executor, 1)
    await fails(executor, 'selec 1', 'QUERY_FAILED')
    await fails(executor, 'select nothing from items', 'QUERY_FAILED')
    await fails(executor, 'select id from nowhere', 'QUERY_FAILED')
    const error = await executor.transaction((tx) => tx.execute(sql('selec 1'))).catch((e: Error) => e)
    assert.ok((error as Error).cause instanceof Error)
    assert.deepEqual(await rowsOf(executor, 'select id from items'), [{ id: 1n }])
  })
}
