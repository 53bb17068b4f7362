/** What an app that installed the packages runs, in either module system; prints `works` at the end. */
const body = `
const { execute } = {
  async execute() {
    const { IdAllocator, ShardCodec, ShardedExecutor, fanOut, staticCatalog } = core
    const open = () => sqlite.sqliteExecutor(new Database(':memory:'))
    const shards = new Map([[1, open()], [2, open()]])
    const catalog = staticCatalog({ global: open(), shards })
    const executor = new ShardedExecutor({ catalog, locator: ShardCodec.default, family: 'users' })
    const allocator = new IdAllocator()
    for (const shard of executor.shardIds()) {
      const route = { shard }
      const step = ['create table person (id bigint primary key, name text)']
      await sql.applySchema(shards.get(shard), { name: 'people', steps: [step] })
      const id = allocator.next(ShardCodec.default, shard)
      const insert = { sql: 'insert into person values (?, ?)', parameters: [id, 'name ' + shard] }
      await executor.execute(insert, { route: { key: id } })
    }
    const { rows } = await fanOut(executor, { sql: 'select id, name from person', parameters: [] }, {
      orderBy: [{ column: 'name', direction: 'desc' }],
    })
    const found = rows.map((row) => row.name + ' on ' + ShardCodec.default.shardOf(row.id)).join(', ')
    if (found !== 'name 2 on 2, name 1 on 1') throw new Error('found ' + found)
    await executor.close()
    console.log('works')
  },
}
execute().catch((error) => {
  console.error(error)
  process.exitCode = 1
})
`

/** The files of an empty project that uses the packages. */
export const consumer: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "consumer", "private": true }',
  'esm.mjs': `import Database from 'better-sqlite3'
import * as core from '@shard/core'
import * as sqlite from '@shard/core/sqlite'
import * as sql from '@shard/sql'
${body}`,
  'cjs.cjs': `const Database = require('better-sqlite3')
const core = require('@shard/core')
const sqlite = require('@shard/core/sqlite')
const sql = require('@shard/sql')
${body}`,
  // Without a driver, and with clocks that must not be read: what an import alone may do.
  'import-only.mjs': `
const forbidden = () => { throw new Error('a clock was read at import') }
Date.now = forbidden
performance.now = forbidden
for (const specifier of JSON.parse(process.argv[2])) await import(specifier)
console.log('works')
`,
  'types.mts': `import { type Executor, type Id, IdAllocator, ShardCodec } from '@shard/core'
import { type SqliteDatabase, sqliteExecutor } from '@shard/core/sqlite'
import { applySchema } from '@shard/sql'
export const id: Id = new IdAllocator().next(ShardCodec.default, 1)
export const open = (database: SqliteDatabase): Executor => sqliteExecutor(database)
export const steps: Promise<readonly number[]> = applySchema(open({} as SqliteDatabase), { name: 'a', steps: [] })
// @ts-expect-error an id is a bigint
export const wrong: number = id
`,
  'types.cts': `import core = require('@shard/core')
export const id: bigint = new core.IdAllocator().next(core.ShardCodec.default, 1)
// @ts-expect-error an id is a bigint
export const wrong: number = id
`,
  'tsconfig.json': JSON.stringify({
    compilerOptions: {
      module: 'nodenext',
      target: 'es2022',
      lib: ['es2023', 'esnext.disposable', 'dom'],
      strict: true,
      exactOptionalPropertyTypes: true,
      noEmit: true,
      types: [],
    },
    include: ['types.mts', 'types.cts'],
  }),
}
