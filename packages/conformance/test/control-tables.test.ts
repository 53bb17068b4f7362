import { type Executor, type Layout, layouts } from '@shard/core'
import { ensureControlTables, workerLeases } from '@shard/registry'
import { leases } from '@shard/sql'
import { describe, expect, test } from 'vitest'
import { ann } from '../src/worker-lease/check.ts'
import { onFreshDatabase } from './connected-database.ts'
import { databases, withServer } from './databases.ts'

const narrow: Layout = { ...layouts.default, workerBits: 2 }

type OnDatabase = (name: string, body: (executor: Executor) => Promise<void>) => void

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      layoutOnRecord((name, body) =>
        test(name, () => onFreshDatabase(engine, ({ connect }) => body(connect()))),
      )
    })
  })
}

function layoutOnRecord(onDatabase: OnDatabase): void {
  onDatabase(
    'the first call that names a layout puts it on record, later ones are compared',
    async (executor) => {
      await ensureControlTables(executor)
      await ensureControlTables(executor, { layout: narrow })
      await ensureControlTables(executor, { layout: { ...narrow } })
      await ensureControlTables(executor)
      for (const layout of [layouts.default, layouts.safeInteger, layouts.wide, { ...narrow, epochMs: 5 }])
        await expect(ensureControlTables(executor, { layout })).rejects.toMatchObject({
          code: 'LAYOUT_MISMATCH',
        })
      const lease = await workerLeases(executor, { family: 'users' }).acquire(ann)
      expect(lease.layout).toEqual(narrow)
      await lease.close()
    },
  )

  onDatabase('every part comes back as it was', async (executor) => {
    const layout: Layout = {
      shardBits: 1,
      timeBits: 52,
      counterBits: 11,
      workerBits: 11,
      epochMs: 2 ** 52,
      idBits: 64,
    }
    await ensureControlTables(executor, { layout })
    const refused = ensureControlTables(executor, { layout: { ...layout, epochMs: layout.epochMs - 1 } })
    await expect(refused).rejects.toMatchObject({ code: 'LAYOUT_MISMATCH' })
    await ensureControlTables(executor, { layout })
  })

  onDatabase('of callers that bring different ones at once one kind wins', async (executor) => {
    const calls = Array.from({ length: 8 }, (_, i) =>
      ensureControlTables(executor, { layout: i % 2 === 0 ? narrow : layouts.default }).then(
        () => `${i % 2}`,
        (error: { code: string }) => error.code,
      ),
    )
    const ends = new Set(await Promise.all(calls))
    expect(ends.size).toBe(2)
    expect(ends).toContain('LAYOUT_MISMATCH')
  })

  onDatabase('the leases are there too, for processes that may not make tables', async (executor) => {
    await ensureControlTables(executor)
    expect((await leases(executor).readFolder('worker/users')).records).toEqual([])
  })

  onDatabase('what is no layout is refused before anything is made', async (executor) => {
    for (const layout of [null, 5, {}, { ...narrow, shardBits: 30 }, { ...narrow, idBits: 32 }]) {
      const call = ensureControlTables(executor, { layout: layout as Layout })
      await expect(call).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    }
    const tables = executor.execute({ sql: 'select * from shard_schema', parameters: [] })
    await expect(tables).rejects.toMatchObject({ code: 'QUERY_FAILED' })
  })
}
