import type { Executor } from '@shard/core'
import { applySchema, identified, type SchemaLadder, shardFence, writeIdentity } from '@shard/sql'
import { describe, expect, test } from 'vitest'
import { type Child, withChildren } from './children.ts'
import { onFreshDatabase, type SharedDatabase } from './connected-database.ts'
import { type Database, databases, withServer } from './databases.ts'
import { directoryOn } from './directory-hosts.ts'
import { registryOn } from './registry-hosts.ts'
import type { SetUp } from './schema-applier.ts'

const one = ['create table thing (id bigint primary key)', 'insert into thing values (1)']
const two = ['alter table thing add column name varchar(9)', 'insert into thing values (2, null)']
const ladderOf = (...steps: string[][]): SchemaLadder => ({ name: 'things', steps })
const plain = (sql: string) => ({ sql, parameters: [] })
const count = plain('select count(*) as n from thing')
const shard = { cluster: 'c1', family: 'users', shard: 1 }

const long = { timeoutMs: 180_000 }

type Connect = () => Executor

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      const onDatabase = (name: string, body: (connect: Connect, url: string) => Promise<void>) =>
        test(name, () => onFreshDatabase(engine, ({ connect, url }) => body(connect, url), 2))
      ladders(onDatabase)
      identities(onDatabase)

      test(
        '[E2] eight processes set up one empty database at once, 20 times: all succeed',
        async () => {
          await withChildren('schema-applier.ts', 8, (children) => applyTogether(engine, children, 20), long)
        },
        long.timeoutMs,
      )
    })
  })
}

async function applyTogether(engine: Database, children: readonly Child[], rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++)
    await onFreshDatabase(engine, (database) => applyOnce(database, children, round % 4 === 0), 2)
}

async function applyOnce(
  { url, connect }: SharedDatabase,
  children: readonly Child[],
  controls: boolean,
): Promise<void> {
  const setUp: SetUp = { url, ladder: ladderOf(one, two), controls }
  const answers = await Promise.all(children.map((child) => child.ask<number[] | string>(setUp)))
  const others = Array.from({ length: children.length - 1 }, () => '[]')
  expect(answers.map((answer) => JSON.stringify(answer)).sort()).toEqual(['[1,2]', ...others])
  const executor = connect()
  expect((await executor.execute(count)).rows).toEqual([{ n: 2n }])
  await identified(executor, shard)
  if (!controls) return
  await registryOn(executor).register({ id: 1, name: 'one', status: 'active' })
  expect((await directoryOn(executor).claim('ann', 1n)).won).toBe(true)
}

type OnDatabase = (name: string, body: (connect: Connect, url: string) => Promise<void>) => void

function ladders(onDatabase: OnDatabase): void {
  onDatabase('a database is brought up in place, with what its rows hold', async (connect) => {
    const executor = connect()
    expect(await applySchema(executor, ladderOf(one))).toEqual([1])
    expect(await applySchema(executor, ladderOf(one, two))).toEqual([2])
    const { rows } = await executor.execute(plain('select id, name from thing order by id'))
    expect(rows).toEqual([
      { id: 1n, name: null },
      { id: 2n, name: null },
    ])
    expect(await applySchema(executor, ladderOf(one))).toEqual([])
  })

  onDatabase(
    'inside a transaction it is a part of it, or refused before anything is done',
    async (connect) => {
      const executor = connect()
      await executor.execute(plain('create table before_it (id bigint primary key)'))
      const whole = executor.transaction(async (tx) => {
        await tx.execute(plain('insert into before_it values (1)'))
        await applySchema(tx, ladderOf(one))
        throw new Error('undone')
      })
      const message = executor.dialect === 'mysql' ? 'commits' : 'undone'
      await expect(whole).rejects.toThrow(message)
      const left = await executor.execute(plain('select count(*) as n from before_it'))
      expect(left.rows).toEqual([{ n: 0n }])
      expect(await applySchema(executor, ladderOf(one))).toEqual([1])
    },
  )

  onDatabase('an edited step is refused and changes nothing', async (connect) => {
    const executor = connect()
    await applySchema(executor, ladderOf(one))
    const edited = ladderOf(['create table thing (id varchar(9))'], two)
    await expect(applySchema(executor, edited)).rejects.toMatchObject({ code: 'SCHEMA_MISMATCH' })
    expect((await executor.execute(count)).rows).toEqual([{ n: 1n }])
  })

  onDatabase(
    'a step that fails half-way is gone through by the next call, when it is mended',
    async (connect) => {
      const executor = connect()
      await executor.execute(plain('create table blocker (id bigint)'))
      const steps = ladderOf(one, [two[0] ?? '', 'create table blocker (id bigint)', two[1] ?? ''])
      await expect(applySchema(executor, steps)).rejects.toMatchObject({ code: 'QUERY_FAILED' })
      await executor.execute(plain('drop table blocker'))
      expect(await applySchema(executor, steps)).not.toEqual([])
      expect((await executor.execute(count)).rows).toEqual([{ n: 2n }])
      expect(await applySchema(executor, steps)).toEqual([])
    },
  )

  onDatabase('at any statement a process may die: the next one ends its work', async (connect) => {
    const steps = ladderOf(
      ['create table a (id bigint)', 'create index a_id on a (id)', 'alter table a add column b bigint'],
      ['create table c (id bigint)'],
    )
    let statements = 0
    for (let last = 1; last < 40; last++) {
      const [dying, next] = [connect(), connect()]
      statements = 0
      await applySchema(
        dyingAfter(dying, () => ++statements > last),
        steps,
      ).catch(() => {})
      await dying.close()
      await applySchema(next, steps)
      expect(await applySchema(next, steps)).toEqual([])
      await next.execute(plain('insert into a (id, b) values (1, 2)'))
      for (const sql of ['drop table a', 'drop table c', 'drop table shard_schema'])
        await next.execute(plain(sql))
      await next.close()
      if (statements <= last) return
    }
    expect.fail('it never ran to its end')
  })
}

/** An executor that stops answering inside a transaction, as the process that owns it ends. */
function dyingAfter(executor: Executor, isDead: () => boolean): Executor {
  const transaction: Executor['transaction'] = (work) =>
    executor.transaction((tx) =>
      work({
        ...tx,
        dialect: tx.dialect,
        execute: (statement, options) => {
          if (isDead()) throw new Error('dead')
          return tx.execute(statement, options)
        },
      }),
    )
  return { ...executor, dialect: executor.dialect, transaction }
}

function identities(onDatabase: OnDatabase): void {
  onDatabase('an identity lasts, and no other is taken for it', async (connect) => {
    await writeIdentity(connect(), shard)
    const again = connect()
    expect(await identified(again, shard)).toBe(again)
    for (const other of [
      { ...shard, shard: 2 },
      { ...shard, shard: 'global' as const },
      { ...shard, cluster: 'c2' },
      { ...shard, cluster: 'C1' },
      { ...shard, family: 'orders' },
      { ...shard, incarnation: 2n },
    ]) {
      await expect(identified(again, other)).rejects.toMatchObject({ code: 'WRONG_DATABASE' })
      await expect(writeIdentity(again, other)).rejects.toMatchObject({ code: 'WRONG_DATABASE' })
    }
  })

  onDatabase('an empty database has none; a closed one cannot be asked', async (connect) => {
    const executor = connect()
    await expect(identified(executor, shard)).rejects.toMatchObject({ code: 'WRONG_DATABASE' })
    await executor.close()
    await expect(identified(executor, shard)).rejects.toMatchObject({ code: 'CLOSED' })
  })

  onDatabase('of two that write different ones at once, one wins and the other is told', async (connect) => {
    const [a, b] = [connect(), connect()]
    const ends = await Promise.allSettled([writeIdentity(a, shard), writeIdentity(b, { ...shard, shard: 2 })])
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const winner = ends[0]?.status === 'fulfilled' ? shard : { ...shard, shard: 2 }
    await identified(a, winner)
    await identified(b, winner)
  })

  onDatabase(
    'a table from before the fence is identified, and brought up by set-up code',
    async (connect) => {
      const executor = connect()
      const first = `create table shard_meta (
  id integer not null primary key check (id = 1),
  cluster varchar(255) not null,
  family varchar(255) not null,
  shard integer check (shard >= 0)
)`
      await executor.execute(plain(first))
      await executor.execute(plain("insert into shard_meta values (1, 'c1', 'users', 1)"))
      await identified(executor, shard)
      await expect(identified(executor, { ...shard, shard: 2 })).rejects.toMatchObject({
        code: 'WRONG_DATABASE',
      })
      await executor.execute(plain('drop table shard_meta'))
      await writeIdentity(executor, shard)
      expect(await shardFence(executor).read()).toMatchObject({ token: 0n, owned: false })
    },
  )
}
