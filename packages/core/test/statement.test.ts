import { describe, expect, test } from 'vitest'
import { callersStatement, statementFor } from '../src/statement.ts'
import { hostile } from './hostile.ts'
import { refusal } from './refusal.ts'

const select = { sql: 'select 1', parameters: [] }

test('a statement is taken as it is, or asked for by dialect', () => {
  expect(statementFor(select, 'sqlite')).toBe(select)
  expect(statementFor((dialect) => ({ sql: `-- ${dialect}`, parameters: [] }), 'mysql').sql).toBe('-- mysql')
})

test('anything else is a typed error', () => {
  for (const value of [
    ...hostile,
    { sql: 'select 1' },
    { sql: 1, parameters: [] },
    { sql: '', parameters: {} },
  ])
    refusal('INVALID_ARGUMENT', () => statementFor(value as never, 'sqlite'))
  refusal('INVALID_ARGUMENT', () => statementFor((() => null) as never, 'sqlite'))
})

describe('statements that begin or end a transaction', () => {
  test.each([
    'begin',
    'BEGIN IMMEDIATE',
    ' \n commit',
    ';;rollback',
    'end',
    'savepoint a',
    'release a',
    'start  transaction',
    '/* a */ -- b\n begin',
    '/**//***/begin',
    '/* * / */ rollback to a',
    '--\nbegin',
  ])('%j is refused', (sql) => {
    refusal('INVALID_ARGUMENT', () => callersStatement({ sql, parameters: [] }, 'sqlite'))
  })
  test.each([
    "select 'begin'",
    'select 1 -- begin',
    '/* begin */ select 1',
    '-- begin\nselect 1',
    'beginning',
    'ending',
    'update t set commit_id = 1',
    'create trigger x after insert on t begin select 1; end',
  ])('%j is not', (sql) => {
    expect(callersStatement({ sql, parameters: [] }, 'sqlite').sql).toBe(sql)
  })
  test('hostile text is judged in time that grows with its length only', () => {
    const started = performance.now()
    for (const part of ['/**/', '/*', '--\n', '-- ', ' ', ';', '/* a */ '])
      callersStatement({ sql: `${part.repeat(20_000)}x`, parameters: [] }, 'sqlite')
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})

describe('statements that change the connection for whoever comes next', () => {
  test.each([
    ['postgres', 'set search_path to other'],
    ['postgres', '/* a */ SET  SESSION statement_timeout = 5'],
    ['postgres', 'set role nobody'],
    ['postgres', 'reset all'],
    ['postgres', 'discard all'],
    ['postgres', "prepare transaction 'a'"],
    ['mysql', 'use other'],
    ['mysql', 'set autocommit = 0'],
    ['mysql', 'set @@session.autocommit = 0'],
    ['mysql', 'xa begin 1'],
    ['mysql', 'lock tables t read'],
    ['mysql', '/*! begin */'],
    ['mysql', '/*M! begin */'],
  ] as const)('on %s, %j is refused', (dialect, sql) => {
    refusal('INVALID_ARGUMENT', () => callersStatement({ sql, parameters: [] }, dialect))
  })
  test.each([
    ['postgres', "set local lock_timeout = '50ms'"],
    ['postgres', 'set transaction isolation level serializable'],
    ['postgres', 'set constraints all deferred'],
    ['mysql', 'set innodb_lock_wait_timeout = 1'],
    ['mysql', 'set @autocommitted = 1'],
  ] as const)('on %s, %j is not', (dialect, sql) => {
    expect(callersStatement({ sql, parameters: [] }, dialect).sql).toBe(sql)
  })
})

test('parameters are checked before any I/O', () => {
  refusal('INVALID_ARGUMENT', () => callersStatement({ sql: 'select ?', parameters: [undefined] }, 'sqlite'))
})
