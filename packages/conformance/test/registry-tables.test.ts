import type { Executor } from '@shard/core'
import { ensureControlTables, type ShardRegistry, statuses } from '@shard/registry'
import { applySchema } from '@shard/sql'
import { describe, expect, test } from 'vitest'
import { type Database, databases, withServer } from './databases.ts'
import { freshDatabase, openDatabase } from './fresh-database.ts'
import { registryOn, registryTablesOf } from './registry-hosts.ts'
import { onSharedDatabase } from './shared-database.ts'

/** What no engine says alike: SQL that makes shard 2 refuse to become active, and that ends the check of statuses. */
interface Spelling {
  readonly refuseSecond: string
  readonly allowAnyStatus: string
}

const onServers = (allowAnyStatus: string): Spelling => ({
  refuseSecond: "alter table shards add constraint refused check (id <> 2 or status <> 'active')",
  allowAnyStatus,
})

const spellings: Record<Database['dialect'], Spelling> = {
  sqlite: {
    refuseSecond: `create trigger refused before update on shards when new.id = 2
      begin select raise(abort, 'the second half fails'); end`,
    allowAnyStatus: 'pragma ignore_check_constraints = on',
  },
  postgres: onServers('alter table shards drop constraint shards_status_check'),
  mysql: onServers('alter table shards modify status varchar(32) not null'),
}

const plain = (sql: string) => ({ sql, parameters: [] })

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => tables(engine))
  })
}

type Body = (registry: ShardRegistry, connect: () => Executor) => Promise<void>

function tables(engine: Database): void {
  const { refuseSecond, allowAnyStatus } = spellings[engine.dialect]
  const onRegistry = (name: string, body: Body) =>
    test(name, () => onSharedDatabase(engine, ({ connect }) => body(registryOn(connect()), connect)))

  onRegistry('everything is kept for other connections', async (registry, connect) => {
    await registry.register({ id: 1, name: 'one', status: 'active', maxBytes: 2n ** 62n + 1n })
    await registry.register({ id: 2, name: 'two', status: 'standby' })
    await registry.measure(1, 2n ** 53n + 1n, { fileBytes: 2n ** 60n })
    await registry.swapActive(1, 2, 2n, { by: 'placer', reason: 'full' })
    const records = await registry.list()
    const again = registryOn(connect())
    expect(await again.list()).toEqual(records)
    for (const id of [1, 2]) expect(await again.history(id)).toEqual(await registry.history(id))
    expect(records.map(({ status }) => status)).toEqual(['sealed', 'active'])
  })

  onRegistry('a failure after the first half of a swap leaves nothing of it', async (registry, connect) => {
    await registry.register({ id: 1, name: 'one', status: 'active' })
    await registry.register({ id: 2, name: 'two', status: 'standby' })
    await connect().execute(plain(refuseSecond))
    const before = await registry.list()
    await expect(registry.swapActive(1, 2, 1n)).rejects.toMatchObject({ outcome: 'not-applied' })
    expect(await registry.list()).toEqual(before)
    expect(await registry.history(1)).toHaveLength(1)
  })

  onRegistry('an unknown status spoils only its own row, and is named', async (registry, connect) => {
    await registry.register({ id: 1, name: 'one', status: 'active' })
    await registry.register({ id: 2, name: 'two', status: 'standby' })
    const other = connect()
    await other.execute(plain(allowAnyStatus))
    await other.execute(plain("update shards set status = 'frozen' where id = 1"))
    expect((await registry.list()).map(({ status }) => status)).toEqual(['frozen', 'standby'])
    expect(await registry.transition(1, 'active', 'sealed')).toBe(false)
    expect(await registry.swapActive(null, 2, 1n)).toBe(true)
  })

  onRegistry('the table itself refuses what the code would', async (registry, connect) => {
    await registry.register({ id: 1, name: 'one', status: 'active' })
    const other = connect()
    for (const change of [
      'size_bytes = -1',
      'max_bytes = 0',
      'admit_threshold = 1.5',
      'hard_threshold = 0',
      "status = 'frozen'",
      "status = 'ACTIVE'",
      'version = null',
    ]) {
      const update = other.execute(plain(`update shards set ${change}`))
      await expect(update, change).rejects.toMatchObject({ code: 'CONSTRAINT_VIOLATION' })
    }
  })

  test('plain DDL is the ladder, and names every status', () => {
    const { schema, createTables } = registryTablesOf(engine)
    expect(schema.steps.flat()).toEqual(createTables)
    const check = /status in \(([^)]*)\)/.exec(createTables.join())?.[1]
    expect(check?.split(', ')).toEqual(statuses.map((status) => `'${status}'`))
  })
}

describe('a registry of before', () => {
  test('the first step, with its data, is brought up in place', async () => {
    const [sqlite] = databases as [Database, ...Database[]]
    const { url, drop } = await freshDatabase(sqlite)
    const executor = openDatabase(url)
    const { schema } = registryTablesOf(sqlite)
    await applySchema(executor, { ...schema, steps: schema.steps.slice(0, 1) })
    const columns = 'family, id, name, status, size_bytes, admit_threshold, hard_threshold'
    const row = `insert into shards (${columns}, schema_version, created_at_ms, version)
      values ('users', 1, 'one', 'standby', 7, 0.5, 0.9, 0, 1, 4)`
    await executor.execute(plain(row))
    await ensureControlTables(executor)
    const registry = registryOn(executor)
    expect(await registry.get(1)).toMatchObject({ sizeBytes: 7n, version: 4n })
    expect(await registry.swapActive(null, 1, 4n)).toBe(true)
    await executor.close()
    await drop()
  })

  test('a size that is no whole number is refused by SQLite too, which has no types of columns', async () => {
    const [sqlite] = databases as [Database, ...Database[]]
    await onSharedDatabase(sqlite, async ({ connect }) => {
      await registryOn(connect()).register({ id: 1, name: 'one', status: 'active' })
      const update = connect().execute(plain("update shards set size_bytes = 'many'"))
      await expect(update).rejects.toMatchObject({ code: 'CONSTRAINT_VIOLATION' })
    })
  })
})
