import { setImmediate as turn } from 'node:timers/promises'
import type { Executor } from '@shard/core'
import { describe, expect, test } from 'vitest'
import { sql } from '../src/executor/check.ts'
import { sqliteFolder } from './sqlite-folder.ts'

const folder = sqliteFolder()
const select = sql('select id, n from t')

async function make(executor: Executor, id: string, n: string, value = 5n): Promise<void> {
  await executor.execute(sql('drop table if exists t'))
  await executor.execute(sql(`create table t (id ${id}, n ${n})`))
  await executor.execute(sql('insert into t values (?, ?)', value, value))
}

async function streamed(executor: Executor): Promise<unknown[]> {
  const rows: unknown[] = []
  for await (const row of executor.stream(select)) rows.push(row)
  return rows
}

describe('a column that has another type than when its statement was prepared', () => {
  test('is read by the new one at once, if this connection changed it', async () => {
    const executor = folder.connect('own')
    for (const [id, n] of [
      ['integer', 'bigint'],
      ['bigint', 'integer'],
      ['integer', 'integer'],
    ] as const) {
      await make(executor, id, n)
      const expected = [{ id: id === 'bigint' ? 5n : 5, n: n === 'bigint' ? 5n : 5 }]
      expect((await executor.execute(select)).rows).toEqual(expected)
      expect(await streamed(executor)).toEqual(expected)
    }
  })

  test('and after a rollback by the old one', async () => {
    const executor = folder.connect('rolled-back')
    await make(executor, 'integer', 'integer')
    const transaction = executor.transaction(async (tx) => {
      expect((await tx.execute(select)).rows).toEqual([{ id: 5, n: 5 }])
      await make(tx, 'bigint', 'bigint')
      expect((await tx.execute(select)).rows).toEqual([{ id: 5n, n: 5n }])
      throw new Error('undo')
    })
    await expect(transaction).rejects.toThrow('undo')
    expect((await executor.execute(select)).rows).toEqual([{ id: 5, n: 5 }])
  })

  test('from the next turn of the event loop on, if another connection did', async () => {
    const [reader, other] = [folder.connect('shared'), folder.connect('shared')]
    await make(other, 'integer', 'bigint')
    expect((await reader.execute(select)).rows).toEqual([{ id: 5, n: 5n }])
    await make(other, 'bigint', 'integer')
    await turn()
    expect((await reader.execute(select)).rows).toEqual([{ id: 5n, n: 5 }])
    await make(other, 'bigint', 'bigint', 2n ** 53n + 1n)
    await turn()
    expect(await streamed(reader)).toEqual([{ id: 2n ** 53n + 1n, n: 2n ** 53n + 1n }])
    expect((await reader.execute(select)).rows).toEqual([{ id: 2n ** 53n + 1n, n: 2n ** 53n + 1n }])
  })

  test('also in what a write gives back', async () => {
    const [writer, other] = [folder.connect('returning'), folder.connect('returning')]
    const update = sql('update t set n = n + 1 returning id')
    await make(other, 'integer', 'bigint')
    expect((await writer.execute(update)).rows).toEqual([{ id: 5 }])
    await make(other, 'bigint', 'bigint')
    await turn()
    expect((await writer.execute(update)).rows).toEqual([{ id: 5n }])
  })
})
