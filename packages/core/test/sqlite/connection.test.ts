import { expect, test } from 'vitest'
import { Connection, type SqliteOptions } from '../../src/sqlite/connection.ts'
import type { SqliteDatabase } from '../../src/sqlite/database.ts'
import { hostile } from '../hostile.ts'
import { refusal } from '../refusal.ts'

function fakeDatabase(over: Partial<SqliteDatabase> = {}): { database: SqliteDatabase; pragmas: string[] } {
  const pragmas: string[] = []
  const database: SqliteDatabase = {
    open: true,
    readonly: false,
    inTransaction: false,
    prepare: () => {
      throw new Error('not in this test')
    },
    pragma: (source) => pragmas.push(source),
    close: () => {},
    ...over,
  }
  return { database, pragmas }
}

test('nothing that needs the file is asked before first use, and then once', () => {
  const { database, pragmas } = fakeDatabase()
  const connection = new Connection(database, {})
  expect(pragmas.splice(0)).toEqual(['busy_timeout = 0'])
  connection.enterWal()
  connection.enterWal()
  expect(pragmas).toEqual(['synchronous = full', 'journal_mode = wal'])
})

test('when the file is busy, the next use asks again', () => {
  let busy = true
  const asked: string[] = []
  const { database } = fakeDatabase({
    pragma: (source) => {
      asked.push(source)
      if (busy && source.startsWith('journal_mode')) throw new Error('database is locked')
    },
  })
  const connection = new Connection(database, {})
  expect(() => connection.enterWal()).toThrow('locked')
  busy = false
  connection.enterWal()
  expect(asked.filter((source) => source === 'journal_mode = wal')).toHaveLength(2)
})

test('the journal of a read-only database is left as it is', () => {
  const { database, pragmas } = fakeDatabase({ readonly: true })
  new Connection(database, { synchronous: 'normal' }).enterWal()
  expect(pragmas).toEqual(['busy_timeout = 0', 'synchronous = normal'])
})

test('a closed database, and one inside a transaction, are refused', () => {
  refusal('CLOSED', () => new Connection(fakeDatabase({ open: false }).database, {}))
  refusal('INVALID_ARGUMENT', () => new Connection(fakeDatabase({ inTransaction: true }).database, {}))
})

test('hostile options are typed errors, before the database is touched', () => {
  for (const value of ['off', 'FULL', 'full; drop table t', ...hostile].filter(
    (value) => value !== undefined,
  )) {
    const { database, pragmas } = fakeDatabase()
    refusal('INVALID_ARGUMENT', () => new Connection(database, { synchronous: value } as SqliteOptions))
    if (value !== 1.5)
      refusal(
        'INVALID_ARGUMENT',
        () => new Connection(database, { busyTimeoutMs: value ?? 'x' } as SqliteOptions),
      )
    expect(pragmas).toEqual([])
  }
})
