import type { Executor } from '@shard/core'
import {
  controlTablesDdl,
  ensureControlTables,
  type ShardRegistry,
  statuses,
  unknownStatuses,
} from '@shard/registry'
import { applySchema } from '@shard/sql'
import { describe, expect, test } from 'vitest'
import { onFreshDatabase } from './connected-database.ts'
import { type Database, databases, withServer } from './databases.ts'
import { registryOn, registryTablesOf } from './registry-hosts.ts'
import { registryV1, rowsOfV1 } from './registry-v1.ts'
import { onSharedDatabase } from './shared-database.ts'

/** What no engine says alike: SQL that makes shard 2 refuse to become active, and that ends the check of statuses. */
interface Spelling {
  readonly refuseSecond: string
  readonly allowAnyStatus: string
  /** Changes to what is no number in range, as the engine can be told. */
  readonly notNumbers: readonly string[]
}

const onServers = (allowAnyStatus: string, notNumbers: readonly string[]): Spelling => ({
  refuseSecond: "alter table shards add constraint refused check (id <> 2 or status <> 'active')",
  allowAnyStatus,
  notNumbers,
})

const spellings: Record<Database['dialect'], Spelling> = {
  sqlite: {
    refuseSecond: `create trigger refused before update on shards when new.id = 2
      begin select raise(abort, 'the second half fails'); end`,
    allowAnyStatus: 'pragma ignore_check_constraints = on',
    notNumbers: [
      "size_bytes = 'many'",
      'size_bytes = 0.5',
      "max_bytes = 'many'",
      "reserved_keys = 'many'",
      "admit_threshold = 'half'",
      'admit_threshold = 9e999',
      'hard_threshold = 9e999 - 9e999',
    ],
  },
  postgres: onServers('alter table shards drop constraint shards_status_check', [
    "admit_threshold = 'NaN'",
    "hard_threshold = 'NaN'",
    "hard_threshold = 'Infinity'",
  ]),
  mysql: onServers('alter table shards modify status varchar(32) not null', ['admit_threshold = 1e308']),
}

const plain = (sql: string) => ({ sql, parameters: [] })

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => tables(engine))
  })
}

type Body = (registry: ShardRegistry, connect: () => Executor) => Promise<void>

function tables(engine: Database): void {
  const { refuseSecond, allowAnyStatus, notNumbers } = spellings[engine.dialect]
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
    expect(unknownStatuses(await registry.list())).toEqual([{ shard: 1, status: 'frozen' }])
    expect(await registry.transition(1, 'active', 'sealed')).toBe(false)
    expect(await registry.reserve(1, 1, 1n)).toBe(false)
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
      'reserved_keys = -1',
      'reserved_keys = 1',
      'reserved_ever = -1',
      'schema_version = -1',
      'file_bytes = -1',
      ...notNumbers,
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

  test('the first version is written down: its steps are the first of the ladder, to the letter', () => {
    const first = registryV1[engine.dialect]
    expect(registryTablesOf(engine).schema.steps.slice(0, first.length)).toEqual(first)
  })

  test('a database of the first version is brought up in place, with its data', async () => {
    await onFreshDatabase(
      engine,
      async ({ connect }) => {
        const executor = connect()
        await applySchema(executor, { name: 'registry', steps: registryV1[engine.dialect] })
        for (const row of rowsOfV1) await executor.execute(plain(row))
        await ensureControlTables(executor)
        await ensureControlTables(executor)
        await checkUpgraded(registryOn(executor))
      },
      2,
    )
  })

  test('the plain DDL makes what the ladder makes, and the ladder goes on from there', async () => {
    await onFreshDatabase(
      engine,
      async ({ connect }) => {
        const executor = connect()
        for (const sql of controlTablesDdl(engine.dialect)) await executor.execute(plain(sql))
        const ledger = plain('select name, step, checksum from shard_schema order by name, step')
        const { rows } = await executor.execute(ledger)
        await ensureControlTables(executor)
        expect((await executor.execute(ledger)).rows).toEqual(rows)
        await registryOn(executor).register({ id: 1, name: 'one', status: 'active' })
        expect(await registryOn(executor).reserve(1, 5, 1n)).toBe(true)
      },
      2,
    )
  })
}

async function checkUpgraded(registry: ShardRegistry): Promise<void> {
  const [sealed, active] = await registry.list()
  expect(sealed).toEqual({
    family: 'users',
    id: 1,
    name: 'one',
    databaseId: null,
    region: 'eu',
    status: 'sealed',
    sizeBytes: 9_007_199_254_740_993n,
    fileBytes: 2n ** 63n - 1n,
    maxBytes: 2n ** 63n - 1n,
    admitThreshold: 0.25,
    hardThreshold: 1,
    reservedKeys: 0n,
    reservedEver: 0n,
    schemaVersion: 3n,
    successorId: 2,
    createdAtMs: 1_700_000_000_001,
    sealedAtMs: 1_700_000_000_002,
    lastSizeCheckAtMs: 1_700_000_000_003,
    sizeError: null,
    version: 4n,
  })
  expect(active).toMatchObject({ status: 'active', sizeError: 'no route', version: 2n, reservedKeys: 0n })
  expect((await registry.history(1)).map(({ to, version }) => [to, version])).toEqual([
    ['active', 1n],
    ['sealed', 4n],
  ])
  await registry.register({ id: 3, name: 'three', status: 'standby' })
  expect(await registry.reserve(2, 7, 2n)).toBe(true)
  expect(await registry.swapActive(2, 3, 3n)).toBe(true)
}
