import { expect, test } from 'vitest'
import { NotFoundError } from '../../src/errors.ts'
import { translate } from '../../src/sqlite/errors.ts'

const driverError = (code: string): Error => Object.assign(new Error(`the driver says ${code}`), { code })

test.each([
  ['SQLITE_CONSTRAINT_UNIQUE', 'UNIQUE_VIOLATION', false, 'not-applied'],
  ['SQLITE_CONSTRAINT_PRIMARYKEY', 'UNIQUE_VIOLATION', false, 'not-applied'],
  ['SQLITE_CONSTRAINT_ROWID', 'UNIQUE_VIOLATION', false, 'not-applied'],
  ['SQLITE_CONSTRAINT_CHECK', 'CONSTRAINT_VIOLATION', false, 'not-applied'],
  ['SQLITE_CONSTRAINT_NOTNULL', 'CONSTRAINT_VIOLATION', false, 'not-applied'],
  ['SQLITE_CONSTRAINT_FOREIGNKEY', 'CONSTRAINT_VIOLATION', false, 'not-applied'],
  ['SQLITE_CONSTRAINT_TRIGGER', 'CONSTRAINT_VIOLATION', false, 'not-applied'],
  ['SQLITE_BUSY', 'BUSY', true, 'not-applied'],
  ['SQLITE_BUSY_SNAPSHOT', 'BUSY', true, 'not-applied'],
  ['SQLITE_LOCKED', 'BUSY', true, 'not-applied'],
  ['SQLITE_READONLY', 'READ_ONLY', false, 'not-applied'],
  ['SQLITE_READONLY_DBMOVED', 'READ_ONLY', false, 'not-applied'],
  ['SQLITE_FULL', 'DISK_FULL', false, 'not-applied'],
  ['SQLITE_IOERR_FSYNC', 'QUERY_FAILED', false, 'unknown'],
  ['SQLITE_ERROR', 'QUERY_FAILED', false, 'not-applied'],
  ['SQLITE_CORRUPT', 'QUERY_FAILED', false, 'not-applied'],
])('%s is %s', (code, expected, retryable, outcome) => {
  const error = driverError(code)
  expect(translate(error)).toMatchObject({ code: expected, retryable, outcome, cause: error })
})

test.each([
  [
    'D1_ERROR: UNIQUE constraint failed: t.id: SQLITE_CONSTRAINT (extended: SQLITE_CONSTRAINT_PRIMARYKEY)',
    undefined,
  ],
  ['D1_ERROR: UNIQUE constraint failed: t.id: SQLITE_CONSTRAINT', undefined],
  ['SQLite error: UNIQUE constraint failed: t.id', 'SQLITE_CONSTRAINT'],
])('a driver over a network says it in its text: %s', (text, code) => {
  const error = Object.assign(new Error(text), code ? { code } : {})
  expect(translate(error).code).toBe('UNIQUE_VIOLATION')
  const other = Object.assign(new Error(text.replace('UNIQUE', 'CHECK').replace('PRIMARYKEY', 'CHECK')), {
    ...(code ? { code } : {}),
  })
  expect(translate(other).code).toBe('CONSTRAINT_VIOLATION')
})

test('our own errors pass through', () => {
  const error = new NotFoundError('x')
  expect(translate(error)).toBe(error)
})

test('what the driver says of a closed database and of bad arguments', () => {
  expect(translate(new TypeError('The database connection is not open')).code).toBe('CLOSED')
  expect(translate(new TypeError('SQLite3 can only bind numbers, ...')).code).toBe('INVALID_ARGUMENT')
  expect(translate(new RangeError('Too few parameter values were provided')).code).toBe('INVALID_ARGUMENT')
})

test.each([null, undefined, 'text', 5, { code: {} }])('whatever is thrown becomes ours: %o', (thrown) => {
  expect(translate(thrown).code).toBe('QUERY_FAILED')
})
