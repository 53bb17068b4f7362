import assert from 'node:assert/strict'
import { fencedExecutor } from '@shard/sql'
import { ann, type Check, entries, insert, owner, rejects, setUp } from './check.ts'

export function fencedWrites(test: Check): void {
  test('the owner writes, alone and in transactions', async (host) => {
    const plain = await setUp(host)
    const fenced = await owner(host, ann)
    await insert(fenced, 1)
    await fenced.transaction(async (tx) => {
      await insert(tx, 2)
      await tx.transaction((inner) => insert(inner, 3))
      assert.deepEqual(await entries(tx), [1n, 2n, 3n])
    })
    assert.deepEqual(await entries(plain), [1n, 2n, 3n])
  })

  test('what the work throws undoes its writes', async (host) => {
    const plain = await setUp(host)
    const fenced = await owner(host, ann)
    const broken = new Error('broken')
    const work = fenced.transaction(async (tx) => {
      await insert(tx, 1)
      throw broken
    })
    await assert.rejects(work, broken)
    await insert(fenced, 2)
    await rejects(insert(fenced, 2), 'UNIQUE_VIOLATION')
    assert.deepEqual(await entries(plain), [2n])
  })

  test('a change of the schema within a transaction, and writes after it', async (host) => {
    const plain = await setUp(host)
    const fenced = await owner(host, ann)
    await fenced.transaction(async (tx) => {
      await insert(tx, 1)
      await tx.execute({ sql: 'create table other (n bigint)', parameters: [] })
      await insert(tx, 2)
      await tx.transaction((inner) => insert(inner, 3))
    })
    assert.deepEqual(await entries(plain), [1n, 2n, 3n])
  })

  test('nobody writes before the first grant, nor with a nonce or a token that is not on file', async (host) => {
    const plain = await setUp(host)
    await rejects(insert(fencedExecutor(plain, ann), 1), 'FENCED')
    await owner(host, ann)
    for (const other of [
      { ...ann, nonce: 'eve' },
      { ...ann, nonce: 'Ann' },
      { ...ann, nonce: 'ann ' },
      { ...ann, token: 3n },
      { ...ann, token: 1n },
    ])
      await rejects(insert(fencedExecutor(plain, other), 1), 'FENCED')
    assert.deepEqual(await entries(plain), [])
    await insert(fencedExecutor(plain, ann), 1)
  })
}
