import assert from 'node:assert/strict'
import { shardFence } from '@shard/sql'
import { ann, bob, type Check, entries, handOver, insert, owner, rejects, setUp } from './check.ts'

export function deposed(test: Check): void {
  test('is refused every write and transaction from the raise on, and nothing is applied', async (host) => {
    const plain = await setUp(host)
    const fenced = await owner(host, ann)
    await insert(fenced, 1)
    assert.equal(await shardFence(plain).raise(2n), true)
    for (const sql of [
      'insert into entry (n) values (2)',
      'update entry set n = 2',
      'delete from entry',
      '/* select */ delete from entry',
      'create table other (n bigint)',
      'drop table entry',
    ])
      await rejects(fenced.execute({ sql, parameters: [] }), 'FENCED')
    let hasRun = false
    const work = fenced.transaction(async () => {
      hasRun = true
    })
    await assert.rejects(work, {
      code: 'FENCED',
      retryable: false,
      outcome: 'not-applied',
      held: 2n,
      current: 3n,
    })
    const rows = async (): Promise<void> => {
      for await (const _ of fenced.stream({ sql: 'delete from entry', parameters: [] })) assert.fail()
    }
    await rejects(rows(), 'FENCED')
    assert.equal(hasRun, false)
    assert.deepEqual(await entries(plain), [1n])
  })

  test('stays refused when another is the owner, who writes', async (host) => {
    const plain = await setUp(host)
    const [first, second] = [await owner(host, ann), await owner(host, bob)]
    await rejects(insert(first, 1), 'FENCED')
    await insert(second, 2)
    assert.deepEqual(await entries(plain), [2n])
  })

  test('stays refused when the same region gets a new grant', async (host) => {
    const plain = await setUp(host)
    const before = await owner(host, ann)
    const after = await owner(host, { ...ann, token: 4n })
    await rejects(insert(before, 1), 'FENCED')
    await insert(after, 2)
    assert.deepEqual(await entries(plain), [2n])
  })

  test('may read what it likes outside of transactions', async (host) => {
    const plain = await setUp(host)
    const fenced = await owner(host, ann)
    await insert(fenced, 1)
    await handOver(plain, bob)
    assert.deepEqual(await entries(fenced), [1n])
    for await (const { n } of fenced.stream<{ n: bigint }>({ sql: 'select n from entry', parameters: [] }))
      assert.equal(n, 1n)
    await rejects(
      fenced.transaction((tx) => entries(tx)),
      'FENCED',
    )
  })
}
