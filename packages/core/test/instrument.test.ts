import { describe, expect, test } from 'vitest'
import { staticCatalog } from '../src/catalog.ts'
import { UniqueViolationError } from '../src/driver-errors.ts'
import { ShardCodec } from '../src/id-codec.ts'
import type { CallEnd, CallHooks, CallStart } from '../src/instrument/call.ts'
import { instrument } from '../src/instrument.ts'
import { ShardingSettings } from '../src/settings.ts'
import { fakeExecutor } from './fake-executor.ts'

interface Told {
  readonly start: CallStart
  end: CallEnd | null
}

/** Hooks that keep what they are told. */
function listener(options: Partial<CallHooks> = {}): CallHooks & { calls: Told[] } {
  const calls: Told[] = []
  return {
    calls,
    ...options,
    start(start) {
      const told: Told = { start, end: null }
      calls.push(told)
      return (end) => {
        told.end = end
      }
    },
  }
}

const statement = {
  sql: "select name from people where mail = 'ann@example.com' and id = ?",
  parameters: [7n],
}

describe('a call', () => {
  test("carries OpenTelemetry's attributes, and none of the values", async () => {
    const hooks = listener()
    await instrument(
      fakeExecutor(() => [{ name: 'Ann' }], 'postgres'),
      hooks,
    ).execute(statement)
    expect(hooks.calls).toEqual([
      {
        start: {
          kind: 'execute',
          name: 'SELECT',
          attributes: {
            'db.system.name': 'postgresql',
            'db.operation.name': 'SELECT',
            'db.query.text': 'select name from people where mail = ? and id = ?',
          },
        },
        end: { attributes: hooks.calls[0]?.start.attributes, error: null, rows: 1, affectedRows: 0n },
      },
    ])
  })

  test('shows the values when it is asked to', async () => {
    const hooks = listener({ values: true })
    await instrument(fakeExecutor(), hooks).execute(statement)
    expect(hooks.calls[0]?.start.attributes).toMatchObject({
      'db.query.text': statement.sql,
      'db.query.parameter.0': '7',
    })
  })

  test.each([
    [{ code: '23505' }, '23505'],
    [{ code: 'ER_DUP_ENTRY', errno: 1062 }, '1062'],
    [{ code: 'SQLITE_CONSTRAINT_UNIQUE' }, 'SQLITE_CONSTRAINT_UNIQUE'],
    [{ code: 'EPIPE', errno: -32 }, undefined],
  ])('that fails names the class of the error, and what the engine called it: %o', async (cause, status) => {
    const hooks = listener()
    const error = new UniqueViolationError(Object.assign(new Error('twice'), cause))
    const executor = fakeExecutor(() => Promise.reject(error))
    await expect(instrument(executor, hooks).execute(statement)).rejects.toBe(error)
    expect(hooks.calls[0]?.end?.error).toBe(error)
    expect(hooks.calls[0]?.end?.attributes).toMatchObject({ 'error.type': 'UNIQUE_VIOLATION' })
    expect(hooks.calls[0]?.end?.attributes['db.response.status_code']).toBe(status)
  })

  test('is told of once, also a stream that is left early', async () => {
    const hooks = listener()
    const executor = instrument(
      fakeExecutor(() => [{ id: 1 }, { id: 2 }]),
      hooks,
    )
    for await (const _ of executor.stream(statement)) break
    expect(hooks.calls.map(({ start, end }) => [start.kind, end?.rows])).toEqual([['stream', 1]])
  })

  test('inside a transaction is a call of its own', async () => {
    const hooks = listener()
    const executor = instrument(fakeExecutor(), hooks)
    await executor.transaction((tx) => tx.execute(statement))
    expect(hooks.calls.map(({ start }) => start.name)).toEqual(['transaction', 'SELECT'])
    expect(hooks.calls[0]?.end?.attributes).toEqual({ 'db.system.name': 'sqlite' })
  })
})

describe('on a fleet', () => {
  const settings = ShardingSettings.encoded('users', ShardCodec.default)
  const shards = new Map([[3, fakeExecutor(() => [], 'mysql')]])
  const fleet = () => settings.executor(staticCatalog({ global: fakeExecutor(), shards }))
  const key = ShardCodec.default.compose(3, 1n)

  test('a call names its shard, also by key, and the engine there', async () => {
    const hooks = listener({ namespace: (place) => `db_${place}` })
    const executor = instrument(fleet(), hooks)
    await executor.execute(statement, { route: { key } })
    await executor.execute(statement)
    await executor.transaction((tx) => tx.execute(statement), { route: { shard: 3 } })
    const seen = hooks.calls.map(({ end }) => end?.attributes)
    const shard = {
      'shard.family': 'users',
      'shard.id': 3,
      'db.namespace': 'db_3',
      'db.system.name': 'mysql',
    }
    expect(seen[0]).toMatchObject(shard)
    expect(seen[1]).toMatchObject({ 'db.namespace': 'db_global', 'db.system.name': 'sqlite' })
    expect(seen[1]).not.toHaveProperty('shard.id')
    expect(seen[2]).toMatchObject(shard)
    expect(seen[3]).toMatchObject(shard)
  })

  test('a call that never reaches a database is told of too', async () => {
    const hooks = listener()
    const call = instrument(fleet(), hooks).execute(statement, { route: { shard: 9 } })
    await expect(call).rejects.toMatchObject({ code: 'UNKNOWN_SHARD' })
    expect(hooks.calls[0]?.end?.attributes).toMatchObject({ 'shard.id': 9, 'error.type': 'UNKNOWN_SHARD' })
  })
})

test.each<[string, CallHooks]>([
  [
    'start',
    {
      start: () => {
        throw new Error('no')
      },
    },
  ],
  [
    'end',
    {
      start: () => () => {
        throw new Error('no')
      },
    },
  ],
  ['a late end', { start: () => () => Promise.reject(new Error('no')) }],
  ['a late start', { start: (() => Promise.reject(new Error('no'))) as never }],
  [
    'the namespace',
    {
      start: () => undefined,
      namespace: () => {
        throw new Error('no')
      },
    },
  ],
])('a hook that fails breaks no call: %s', async (_, hooks) => {
  const executor = instrument(
    fakeExecutor(() => [{ id: 1 }]),
    hooks,
  )
  expect((await executor.execute(statement)).rows).toEqual([{ id: 1 }])
  expect(await executor.transaction(async () => 5)).toBe(5)
})
