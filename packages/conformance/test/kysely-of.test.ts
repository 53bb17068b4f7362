import { type Executor, ShardedExecutor, staticCatalog } from '@shard/core'
import { kyselyOf, ShardDialect } from '@shard/kysely'
import { Kysely, sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { type Database, databases, withServer } from './databases.ts'
import { freshDatabase, openDatabase } from './fresh-database.ts'

interface Tables {
  notes: { id: bigint; owner_id: bigint; body: string | null }
}

for (const engine of databases) {
  withServer(engine.name, engine.availability, () => {
    describe(`Kysely over ${engine.name}`, () => suite(engine))
  })
}

async function withKysely(
  engine: Database,
  body: (db: Kysely<Tables>, many: Kysely<Tables>) => Promise<void>,
): Promise<void> {
  const database = await freshDatabase(engine)
  const executor = openDatabase(database.url, 3)
  const db = kyselyOf<Tables>(executor)
  try {
    const table = db.schema.createTable('notes').addColumn('id', 'bigint', (column) => column.primaryKey())
    await table.addColumn('owner_id', 'bigint').addColumn('body', 'varchar(40)').execute()
    await body(db, sharded(executor))
  } finally {
    await db.destroy()
    await database.drop()
  }
}

/** The same database as the only shard. */
function sharded(shard: Executor): Kysely<Tables> {
  const catalog = staticCatalog({ global: shard, shards: new Map([[1, shard]]) })
  const executor = new ShardedExecutor({ catalog, locator: { locate: () => 1 }, family: 'users' })
  return new Kysely<Tables>({
    dialect: new ShardDialect<Tables>({ executor, tables: { notes: { shardKey: 'owner_id' } } }),
  })
}

const note = (id: bigint): Tables['notes'] => ({ id, owner_id: 5n, body: `note ${id}` })

async function idsIn(db: Kysely<Tables>): Promise<bigint[]> {
  const rows = await db.selectFrom('notes').select('id').where('owner_id', '=', 5n).orderBy('id').execute()
  return rows.map(({ id }) => id)
}

function suite(engine: Database): void {
  test('writes say how many rows they met', () =>
    withKysely(engine, async (db) => {
      const inserted = await db
        .insertInto('notes')
        .values([note(1n), note(2n)])
        .executeTakeFirst()
      expect(inserted.numInsertedOrUpdatedRows).toBe(2n)
      const updated = await db
        .updateTable('notes')
        .set({ body: null })
        .where('id', '=', 1n)
        .executeTakeFirst()
      expect(updated.numUpdatedRows).toBe(1n)
      const deleted = await db.deleteFrom('notes').executeTakeFirst()
      expect(deleted.numDeletedRows).toBe(2n)
      await expect(sql`insert into nothing values (1)`.execute(db)).rejects.toMatchObject({
        code: 'QUERY_FAILED',
      })
    }))

  test('a transaction is committed or rolled back as a whole', () =>
    withKysely(engine, async (_, db) => {
      await db.transaction().execute(async (trx) => {
        await trx.insertInto('notes').values(note(1n)).execute()
        expect(await idsIn(trx)).toEqual([1n])
      })
      const failing = db.transaction().execute(async (trx) => {
        await trx.insertInto('notes').values(note(2n)).execute()
        throw new Error('no')
      })
      await expect(failing).rejects.toThrow('no')
      await expect(db.insertInto('notes').values(note(1n)).execute()).rejects.toMatchObject({
        code: 'UNIQUE_VIOLATION',
      })
      expect(await idsIn(db)).toEqual([1n])
    }))

  test('savepoints keep what came before them', () =>
    withKysely(engine, async (_, db) => {
      const trx = await db.startTransaction().execute()
      const before = await trx.savepoint('before').execute()
      await before.insertInto('notes').values(note(1n)).execute()
      const after = await before.savepoint('after').execute()
      await after.insertInto('notes').values(note(2n)).execute()
      const back = await after.rollbackToSavepoint('after').execute()
      await back.insertInto('notes').values(note(3n)).execute()
      await back.releaseSavepoint('before').execute()
      await trx.commit().execute()
      expect(await idsIn(db)).toEqual([1n, 3n])
    }))

  test('the outer Kysely does not wait for its own transaction', () =>
    withKysely(engine, async (_, db) => {
      await db.transaction().execute(async (trx) => {
        await trx.insertInto('notes').values(note(1n)).execute()
        await expect(idsIn(db)).rejects.toMatchObject({ code: 'TRANSACTION_BUSY' })
      })
      expect(await idsIn(db)).toEqual([1n])
    }))

  test('transactions at once follow each other', () =>
    withKysely(engine, async (db) => {
      await db.insertInto('notes').values({ id: 1n, owner_id: 0n, body: null }).execute()
      const add = (): Promise<unknown> =>
        db.transaction().execute((trx) =>
          trx
            .updateTable('notes')
            .set((eb) => ({ owner_id: eb('owner_id', '+', 1n) }))
            .execute(),
        )
      await Promise.all(Array.from({ length: 12 }, add))
      expect(await db.selectFrom('notes').select('owner_id').executeTakeFirst()).toEqual({ owner_id: 12n })
    }))

  test('a stream ends early and frees what it holds', () =>
    withKysely(engine, async (_, db) => {
      await db
        .insertInto('notes')
        .values(Array.from({ length: 50 }, (__, i) => note(BigInt(i + 1))))
        .execute()
      const seen: bigint[] = []
      for await (const { id } of db
        .selectFrom('notes')
        .select('id')
        .where('owner_id', '=', 5n)
        .orderBy('id')
        .stream()) {
        seen.push(id)
        if (seen.length === 3) break
      }
      expect(seen).toEqual([1n, 2n, 3n])
      expect(await idsIn(db)).toHaveLength(50)
    }))
}
