import { describe, expect, expectTypeOf, test } from 'vitest'
import * as counterErrors from '../src/counter-errors.ts'
import * as directoryErrors from '../src/directory-errors.ts'
import * as driverErrors from '../src/driver-errors.ts'
import * as errors from '../src/errors.ts'
import { type ErrorCode, isShardError, type Outcome, ShardError } from '../src/errors.ts'

/** One of each class. A new class is a failure here until its facts are written down. */
const samples: Record<string, { make: () => ShardError; retryable?: true; outcome?: Outcome }> = {
  AbortedError: { make: () => new driverErrors.AbortedError('why') },
  BusyError: { make: () => new driverErrors.BusyError(new Error('x')), retryable: true },
  ClaimPendingError: { make: () => new directoryErrors.ClaimPendingError(5), retryable: true },
  ClaimRevokedError: { make: () => new directoryErrors.ClaimRevokedError() },
  ClockAheadError: { make: () => new errors.ClockAheadError(5), retryable: true },
  ClockBeforeEpochError: { make: () => new errors.ClockBeforeEpochError(1, 2) },
  ClosedError: { make: () => new driverErrors.ClosedError('the pool') },
  ClockSkewError: { make: () => new errors.ClockSkewError(9, 5) },
  ConnectionLostError: {
    make: () => new driverErrors.ConnectionLostError(new Error('x'), 'unknown'),
    retryable: true,
    outcome: 'unknown',
  },
  ConstraintViolationError: { make: () => new driverErrors.ConstraintViolationError(new Error('x')) },
  CounterCorruptError: { make: () => new counterErrors.CounterCorruptError('it is empty', null) },
  CounterExistsError: { make: () => new counterErrors.CounterExistsError('a/b') },
  CounterMissingError: { make: () => new counterErrors.CounterMissingError('a/b') },
  CounterWentBackError: { make: () => new counterErrors.CounterWentBackError('value', '5', '4') },
  CrossShardError: { make: () => new errors.CrossShardError([1, 2], 'two shards') },
  CrossShardTransactionError: { make: () => new errors.CrossShardTransactionError('a', 'b') },
  DeadlockError: { make: () => new driverErrors.DeadlockError(new Error('x')), retryable: true },
  DiskFullError: { make: () => new driverErrors.DiskFullError(new Error('x')) },
  ExhaustedError: { make: () => new counterErrors.ExhaustedError(5n, 6n) },
  FencedError: { make: () => new errors.FencedError('shard 1', 1n, 2n) },
  IncompleteFanOutError: {
    make: () => new errors.IncompleteFanOutError({ failed: [1], timedOut: [2], unavailable: [] }, null),
    retryable: true,
  },
  IntegerOutOfRangeError: { make: () => new driverErrors.IntegerOutOfRangeError('n', 1n << 60n) },
  InvalidArgumentError: { make: () => new errors.InvalidArgumentError('x') },
  InvalidKeyError: { make: () => new directoryErrors.InvalidKeyError('is blank') },
  KeyTakenError: { make: () => new directoryErrors.KeyTakenError(5n) },
  LayoutExpiredError: { make: () => new errors.LayoutExpiredError(5) },
  LayoutMismatchError: { make: () => new errors.LayoutMismatchError('x') },
  LeaseLostError: { make: () => new errors.LeaseLostError(3, false) },
  NoFreeWorkerError: {
    make: () => new errors.NoFreeWorkerError([{ worker: 0, owner: 'ann', expiresAtMs: 5 }], 1),
    retryable: true,
  },
  NoShardAvailableError: { make: () => new errors.NoShardAvailableError('x'), retryable: true },
  NotFoundError: { make: () => new errors.NotFoundError('shard 5') },
  QueryFailedError: { make: () => new driverErrors.QueryFailedError(new Error('x')) },
  ReadOnlyError: { make: () => new driverErrors.ReadOnlyError(new Error('x')) },
  SchemaMismatchError: { make: () => new errors.SchemaMismatchError('x') },
  SerializationFailureError: {
    make: () => new driverErrors.SerializationFailureError(new Error('x')),
    retryable: true,
  },
  StoreRefusedError: { make: () => new counterErrors.StoreRefusedError(403, 'AccessDenied', 'PUT') },
  StoreUnavailableError: {
    make: () => new counterErrors.StoreUnavailableError('500', 'unknown', null),
    retryable: true,
    outcome: 'unknown',
  },
  StoreUnsafeError: { make: () => new counterErrors.StoreUnsafeError('x') },
  TimeoutError: {
    make: () => new driverErrors.TimeoutError(new Error('x')),
    retryable: true,
    outcome: 'unknown',
  },
  TransactionBusyError: { make: () => new errors.TransactionBusyError('x') },
  UniqueViolationError: { make: () => new driverErrors.UniqueViolationError(new Error('x')) },
  UnknownShardError: { make: () => new errors.UnknownShardError(5) },
  UnroutedError: { make: () => new errors.UnroutedError('messages', 'account_id', 'nothing pins it') },
  WrongDatabaseError: { make: () => new errors.WrongDatabaseError('a', 'b') },
}

const classes = Object.keys({
  ...errors,
  ...counterErrors,
  ...directoryErrors,
  ...driverErrors,
}).filter((name) => name.endsWith('Error') && name !== 'ShardError' && name !== 'isShardError')

test('every class has a sample', () => {
  expect(classes.sort()).toEqual(Object.keys(samples).sort())
})

describe.each(Object.entries(samples))('%s', (name, { make, retryable = false, outcome = 'not-applied' }) => {
  test('its code is its name, its facts are as promised', () => {
    const error = make()
    expect(error.name).toBe(name)
    expect(error.code).toBe(
      name
        .replace(/Error$/, '')
        .replace(/(?!^)([A-Z])/g, '_$1')
        .toUpperCase(),
    )
    expect(error).toMatchObject({ retryable, outcome })
    expect(error).toBeInstanceOf(ShardError)
    expect(error.message).not.toBe('')
  })
})

test('the driver error is the cause', () => {
  const cause = new Error('UNIQUE constraint failed')
  expect(new driverErrors.UniqueViolationError(cause).cause).toBe(cause)
  expect('cause' in new errors.InvalidArgumentError('x')).toBe(false)
})

describe('isShardError', () => {
  test('knows our errors and their codes', () => {
    const error = new errors.NotFoundError('x')
    expect(isShardError(error)).toBe(true)
    expect(isShardError(error, 'NOT_FOUND')).toBe(true)
    expect(isShardError(error, 'BUSY')).toBe(false)
  })
  test('knows those of another copy of the package', () => {
    const foreign = Object.assign(new Error('x'), { code: 'BUSY', [Symbol.for('shard.error')]: true })
    expect(isShardError(foreign, 'BUSY')).toBe(true)
  })
  test.each([
    null,
    undefined,
    'BUSY',
    { code: 'BUSY' },
    new Error('BUSY'),
    Object.assign(new Error('x'), { code: 'BUSY' }),
  ])('refuses %o', (value) => {
    expect(isShardError(value)).toBe(false)
  })
})

test('an incomplete fan-out names the shards by what befell them', () => {
  const error = new errors.IncompleteFanOutError({ failed: [3, 4], timedOut: [], unavailable: [1] }, null)
  expect(error).toMatchObject({ failed: [3, 4], timedOut: [], unavailable: [1] })
  expect(error.message).toBe('failed: 3, 4; unavailable: 1')
})

test('codes and outcomes are closed unions', () => {
  expectTypeOf<'WHATEVER'>().not.toExtend<ErrorCode>()
  expectTypeOf<Outcome>().toEqualTypeOf<'not-applied' | 'applied' | 'unknown'>()
  expectTypeOf(new directoryErrors.KeyTakenError(1n).id).toEqualTypeOf<bigint>()
})
