import assert from 'node:assert/strict'
import { type Executor, IdAllocator, layouts, ShardCodec, ShardingSettings, staticCatalog } from '@shard/core'
import { type Check, items, rowsOf, sql } from '../executor/check.ts'

const catalogOf = (executor: Executor) =>
  staticCatalog({ global: executor, shards: new Map([[3, executor]]) })

export function sharding(test: Check): void {
  test('ids of 64 bits are LAYOUT_MISMATCH before anything is asked of it', async (executor) => {
    const settings = ShardingSettings.encoded('users', ShardCodec.default)
    assert.throws(() => settings.executor(catalogOf(executor)), { code: 'LAYOUT_MISMATCH' })
    // A catalog that opens a database later finds out then.
    const { int64: _, ...late } = catalogOf(executor)
    const db = settings.executor({ ...late, global: { ...executor, int64: undefined as never } })
    const call = db.execute(sql('create table items (id bigint)'), { route: { shard: 3 } })
    await assert.rejects(call, { code: 'LAYOUT_MISMATCH', outcome: 'not-applied' })
    assert.deepEqual(await rowsOf(executor, "select name from sqlite_master where name = 'items'"), [])
  })

  test('ids of 53 bits route, and come back exactly', async (executor) => {
    const { shardBits, idBits } = layouts.safeInteger
    const settings = ShardingSettings.encoded('users', new ShardCodec({ shardBits, idBits }))
    const db = settings.executor(catalogOf(executor))
    assert.equal(db.int64, false)
    await items(executor, 0)
    const id = settings.mint(new IdAllocator({ layout: layouts.safeInteger }), 3)
    const route = { key: id }
    await db.execute(sql('insert into items (id) values (?)', id), { route })
    const { rows } = await db.execute<{ id: number }>(sql('select id from items where id = ?', id), { route })
    assert.equal(BigInt(rows[0]?.id ?? 0), id)
  })
}
