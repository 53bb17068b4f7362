import assert from 'node:assert/strict'
import type { Executor } from '@shard/core'
import { sqliteExecutor } from '@shard/core/sqlite'
import SqliteDriver from 'better-sqlite3'
import { beforeEach, describe, expect, test } from 'vitest'
import { executorSuite } from '../src/executor.suite.ts'
import { type Fault, type FaultyCall, randomFaults, scriptedFaults } from '../src/faults.ts'
import { faultyExecutor } from '../src/faulty-executor.ts'
import { databases, withServer } from './databases.ts'
import { executorHost, insideTransaction, sharded } from './executor-hosts.ts'
import { outcomeOf, sql } from './faulty-servers.ts'

const sqlite = databases[0]
assert.ok(sqlite)

describe('without a fault', () => {
  withServer(sqlite.name, sqlite.availability, () => {
    const none = (executor: Executor) => faultyExecutor(executor, () => 'none')
    executorSuite({ test, describe, open: () => executorHost(sqlite, none) })
    describe('on a sharded one, inside a transaction', () => {
      const open = async () => insideTransaction(await executorHost(sqlite, (inner) => none(sharded(inner))))
      executorSuite({ test, describe, open })
    })
  })
})

const NOT_APPLIED = 'CONNECTION_LOST not-applied'
const UNKNOWN = 'CONNECTION_LOST unknown'
const insert = (executor: Executor, id: number) => executor.execute(sql(`insert into entry values (${id})`))

let database: Executor
const ids = async () =>
  (await database.execute(sql('select id from entry order by id'))).rows.map(({ id }) => id)

beforeEach(async () => {
  database = sqliteExecutor(new SqliteDriver(':memory:'))
  await database.execute(sql('create table entry (id bigint primary key)'))
})

const scripted = (...faults: Fault[]) => faultyExecutor(database, scriptedFaults(...faults))

test('a request that is dropped has no effect, a reply that is dropped hides one', async () => {
  const executor = scripted('drop-request', 'drop-reply')
  const fates = [1, 2, 3].map((id) => outcomeOf(insert(executor, id)))
  expect(await Promise.all(fates)).toEqual([NOT_APPLIED, UNKNOWN, 'ok'])
  expect(await ids()).toEqual([2n, 3n])
})

test('a lost reply hides a refusal as well', async () => {
  await insert(database, 1)
  expect(await outcomeOf(insert(scripted('drop-reply'), 1))).toBe(UNKNOWN)
})

test.each<[Fault[], string, bigint[]]>([
  [['drop-request'], NOT_APPLIED, []],
  [['drop-reply'], NOT_APPLIED, []],
  [['none', 'drop-request'], NOT_APPLIED, []],
  [['none', 'drop-reply'], NOT_APPLIED, []],
  [['none', 'none', 'drop-request'], NOT_APPLIED, []],
  [['none', 'none', 'none', 'drop-request'], NOT_APPLIED, []],
  [['none', 'none', 'none', 'drop-reply'], UNKNOWN, [1n, 2n]],
  [['none', 'none', 'none', 'none'], 'ok', [1n, 2n]],
])('a transaction that meets %j', async (faults, fate, left) => {
  const executor = scripted(...faults)
  const whole = executor.transaction(async (tx) => {
    await insert(tx, 1)
    await tx.transaction((inner) => insert(inner, 2))
  })
  expect(await outcomeOf(whole)).toBe(fate)
  expect(await ids()).toEqual(left)
})

test('in a transaction that lost its connection nothing more is done, though the error is swallowed', async () => {
  const executor = scripted('none', 'drop-reply')
  const whole = executor.transaction(async (tx) => {
    for (const id of [1, 2]) expect(await outcomeOf(insert(tx, id))).toBe(NOT_APPLIED)
    expect(await outcomeOf(tx.transaction((inner) => insert(inner, 3)))).toBe(NOT_APPLIED)
  })
  expect(await outcomeOf(whole)).toBe(NOT_APPLIED)
  expect(await ids()).toEqual([])
})

test('after a kill every call is refused, until it is revived', async () => {
  const executor = scripted('none', 'none', 'kill')
  const whole = executor.transaction(async (tx) => {
    await insert(tx, 1)
    await insert(tx, 2)
  })
  expect(await outcomeOf(whole)).toBe(NOT_APPLIED)
  expect(executor.isDead).toBe(true)
  expect(await outcomeOf(insert(executor, 3))).toBe(NOT_APPLIED)
  executor.revive()
  expect(await outcomeOf(insert(executor, 4))).toBe('ok')
  expect(await ids()).toEqual([4n])
})

test('a stream breaks before its first row, or after it was read', async () => {
  await insert(database, 1)
  for (const fault of ['drop-request', 'drop-reply'] as const) {
    const reading = async () => {
      for await (const _ of scripted(fault).stream(sql('select id from entry'))) assert.fail('a row')
    }
    expect(await outcomeOf(reading())).toMatch(/^CONNECTION_LOST/)
  }
  // Nothing holds the database.
  expect(await outcomeOf(insert(database, 2))).toBe('ok')
})

test('a delay is taken from the one that is given, and heeds the signal', async () => {
  const waits: number[] = []
  const plan = scriptedFaults({ delayMs: 5 }, { delayMs: 1_000_000 })
  const executor = faultyExecutor(database, plan, {
    delay: async (ms) => {
      waits.push(ms)
    },
  })
  await insert(executor, 1)
  await insert(executor, 2)
  expect(waits).toEqual([5, 1_000_000])
  const real = faultyExecutor(database, scriptedFaults({ delayMs: 1_000_000 }))
  const abort = new AbortController()
  const call = outcomeOf(real.execute(sql('insert into entry values (3)'), { signal: abort.signal }))
  abort.abort()
  expect(await call).toBe('ABORTED not-applied for good')
  expect(await ids()).toEqual([1n, 2n])
})

test('the plan is told what is asked, and where', async () => {
  const calls: FaultyCall[] = []
  const executor = faultyExecutor(sharded(database), (call) => {
    calls.push(call)
    return 'none'
  })
  await executor.transaction((tx) => insert(tx, 1), { route: 'global' })
  await executor.execute(sql('select 1 as one'), { route: { shard: 1 } })
  expect(calls.map(({ kind, route }) => [kind, route])).toEqual([
    ['begin', 'global'],
    ['statement', undefined],
    ['commit', 'global'],
    ['statement', { shard: 1 }],
  ])
})

test('by chance: the same seed gives the same faults, and every outcome is true', async () => {
  const rates = { dropRequest: 0.2, dropReply: 0.2, delay: 0.2, maxDelayMs: 3 }
  const draw = (seed: number) => {
    const plan = randomFaults(seed, rates)
    return Array.from({ length: 200 }, () => plan({ kind: 'statement', sql: '', route: undefined }))
  }
  expect(draw(7)).toEqual(draw(7))
  expect(draw(7)).not.toEqual(draw(8))
  expect(new Set(draw(7).map((fault) => (typeof fault === 'string' ? fault : 'delay')))).toEqual(
    new Set(['none', 'drop-request', 'drop-reply', 'delay']),
  )

  const executor = faultyExecutor(database, randomFaults(7, rates), { delay: async () => {} })
  const fates = new Map<bigint, string>()
  for (let id = 1; id <= 300; id++) {
    const call = id % 2 ? insert(executor, id) : executor.transaction((tx) => insert(tx, id))
    fates.set(BigInt(id), await outcomeOf(call))
  }
  const there = new Set(await ids())
  for (const [id, fate] of fates) {
    if (fate !== UNKNOWN) expect(there.has(id), `${id}: ${fate}`).toBe(fate === 'ok')
  }
})
