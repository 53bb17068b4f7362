import { QueryFailedError } from '@shard/core'
import { describe, expect, test } from 'vitest'
import { applySchema, type SchemaLadder } from '../src/schema-ladder.ts'
import { type FakeDatabase, fakeDatabase } from './fake-database.ts'
import { rejection } from './refusal.ts'

const ladder = (...steps: string[][]): SchemaLadder => ({ name: 'things', steps })
const one = ['create table a (id bigint)', 'create index b on a (id)']
const two = ['alter table a add column c text']
const three = ['alter table a add column d text']

/** What was run, without the ledger's own table. */
const ran = ({ log }: FakeDatabase): string[] => log.splice(0).filter((sql) => !sql.includes('shard_schema'))

test('runs each step once, in order, and says which', async () => {
  const fake = fakeDatabase()
  expect(await applySchema(fake.executor, ladder(one, two))).toEqual([1, 2])
  expect(ran(fake)).toEqual([...one, ...two])
  expect(await applySchema(fake.executor, ladder(one, two))).toEqual([])
  expect(ran(fake)).toEqual([])
})

test('brings an older database up, and leaves one that is ahead as it is', async () => {
  const fake = fakeDatabase()
  await applySchema(fake.executor, ladder(one))
  ran(fake)
  expect(await applySchema(fake.executor, ladder(one, two, three))).toEqual([2, 3])
  expect(ran(fake)).toEqual([...two, ...three])
  expect(await applySchema(fake.executor, ladder(one))).toEqual([])
  expect(ran(fake)).toEqual([])
})

test('whatever the order of old and new code, each step runs once', async () => {
  const steps = [one, two, three, ['create table e (id bigint)']]
  const lengths = [0, 1, 2, 3, 4]
  const orders = lengths.flatMap((a) => lengths.flatMap((b) => lengths.map((c) => [a, b, c])))
  for (const order of orders) {
    const fake = fakeDatabase()
    for (const length of order) await applySchema(fake.executor, ladder(...steps.slice(0, length)))
    expect(ran(fake)).toEqual(steps.slice(0, Math.max(...order)).flat())
  }
})

describe('a step that was edited', () => {
  test.each([
    ['another text', [['create table a (id text)'], two]],
    ['a statement more', [[...one, 'select 1'], two]],
    ['its statements turned round', [[...one].reverse(), two]],
    ['a step before it', [two, one]],
  ])('is refused, and nothing runs: %s', async (_, steps) => {
    const fake = fakeDatabase()
    await applySchema(fake.executor, ladder(one))
    ran(fake)
    await rejection('SCHEMA_MISMATCH', applySchema(fake.executor, ladder(...steps)))
    expect(ran(fake)).toEqual([])
    expect(fake.ledger).toHaveLength(1)
  })
})

test('two ladders of different names do not meet', async () => {
  const fake = fakeDatabase()
  await applySchema(fake.executor, ladder(one))
  expect(await applySchema(fake.executor, { name: 'others', steps: [two] })).toEqual([1])
})

test('a step that fails leaves no record of itself', async () => {
  const fake = fakeDatabase()
  fake.failures.set('add column c', new Error('broken'))
  await expect(applySchema(fake.executor, ladder(one, two))).rejects.toThrow('broken')
  expect(fake.ledger).toEqual([])
})

describe('the lock', () => {
  test('of postgres ends with the transaction; that of mysql is freed, also after a failure', async () => {
    const postgres = fakeDatabase('postgres')
    await applySchema(postgres.executor, ladder(one))
    expect(ran(postgres)).toEqual(one)

    const mysql = fakeDatabase('mysql')
    const asked: string[] = []
    const { execute } = mysql.executor
    Object.assign(mysql.executor, {
      execute: (statement: { sql: string }) => {
        asked.push(statement.sql)
        return execute(statement as never)
      },
    })
    mysql.failures.set('create table a', new Error('broken'))
    await expect(applySchema(mysql.executor, ladder(one))).rejects.toThrow('broken')
    expect(asked[0]).toMatch(/get_lock/)
    expect(asked.at(-1)).toMatch(/release_lock/)
  })

  test.each([0, null])('that is not given (%s) is BUSY, and nothing runs', async (locked) => {
    const fake = fakeDatabase('mysql')
    fake.locked = locked
    expect(await rejection('BUSY', applySchema(fake.executor, ladder(one)))).toMatchObject({
      retryable: true,
    })
    expect(fake.log).toEqual([])
  })
})

describe('a step that was cut short', () => {
  const begun = (fake: FakeDatabase): void => {
    for (const row of fake.ledger) row.applied_at_ms = 0n
  }
  const exists = (errno: number): QueryFailedError =>
    new QueryFailedError(Object.assign(new Error('exists'), { errno }))

  test.each([1050, 1060, 1061])('is gone through again on mysql, past what is there (%i)', async (errno) => {
    const fake = fakeDatabase('mysql')
    await applySchema(fake.executor, ladder(one))
    begun(fake)
    ran(fake)
    fake.failures.set('create table a', exists(errno))
    expect(await applySchema(fake.executor, ladder(one))).toEqual([1])
    expect(ran(fake)).toEqual(one.slice(1))
    expect(await applySchema(fake.executor, ladder(one))).toEqual([])
    expect(fake.ledger).toHaveLength(1)
  })

  test('stops at any other error, and at what is there before the step ever began', async () => {
    const fake = fakeDatabase('mysql')
    fake.failures.set('create table a', exists(1050))
    await rejection('QUERY_FAILED', applySchema(fake.executor, ladder(one)))
    fake.failures.clear()
    await applySchema(fake.executor, ladder(one))
    begun(fake)
    fake.failures.set('create table a', exists(1146))
    await rejection('QUERY_FAILED', applySchema(fake.executor, ladder(one)))
  })

  test('cannot be seen on the others, where nothing is passed over', async () => {
    for (const name of ['sqlite', 'postgres'] as const) {
      const fake = fakeDatabase(name)
      await applySchema(fake.executor, ladder(one))
      begun(fake)
      fake.failures.set('create table a', exists(1050))
      await rejection('QUERY_FAILED', applySchema(fake.executor, ladder(one)))
    }
  })

  test('and was then edited is refused', async () => {
    const fake = fakeDatabase('mysql')
    await applySchema(fake.executor, ladder(one))
    begun(fake)
    await rejection('SCHEMA_MISMATCH', applySchema(fake.executor, ladder(two)))
  })
})

test('a hostile name is refused before any I/O', async () => {
  const fake = fakeDatabase()
  for (const name of ['', 'a\0', '\ud800', 'a'.repeat(64), 5, null, undefined, {}])
    await rejection('INVALID_ARGUMENT', applySchema(fake.executor, { name: name as string, steps: [one] }))
  expect(fake.log).toEqual([])
})
