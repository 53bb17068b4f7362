import { type Outcome, ShardError } from './errors.ts'

// What a dialect adapter makes of a driver's error: the same classes on every engine.

/** A unique index or primary key holds such a row already. */
export class UniqueViolationError extends ShardError {
  constructor(cause: unknown) {
    super('UNIQUE_VIOLATION', text(cause), { cause })
  }
}

/** A CHECK, NOT NULL or foreign key refused the row. */
export class ConstraintViolationError extends ShardError {
  constructor(cause: unknown) {
    super('CONSTRAINT_VIOLATION', text(cause), { cause })
  }
}

/** The engine ended this transaction to resolve a deadlock; run the whole transaction again. */
export class DeadlockError extends ShardError {
  constructor(cause: unknown) {
    super('DEADLOCK', text(cause), { retryable: true, cause })
  }
}

/** The transaction could not be ordered among its rivals; run the whole transaction again. */
export class SerializationFailureError extends ShardError {
  constructor(cause: unknown) {
    super('SERIALIZATION_FAILURE', text(cause), { retryable: true, cause })
  }
}

/** The database stayed locked, or had no connection to give, for as long as we were ready to wait. */
export class BusyError extends ShardError {
  constructor(cause: unknown) {
    super('BUSY', text(cause), { retryable: true, cause })
  }
}

/** The connection broke; `outcome` says whether the statement can have been applied. */
export class ConnectionLostError extends ShardError {
  constructor(cause: unknown, outcome: Outcome) {
    super('CONNECTION_LOST', text(cause), { retryable: true, outcome, cause })
  }
}

/** The database takes no writes. */
export class ReadOnlyError extends ShardError {
  constructor(cause: unknown) {
    super('READ_ONLY', text(cause), { cause })
  }
}

/** The disk, or the size that the database is allowed, is full. */
export class DiskFullError extends ShardError {
  constructor(cause: unknown) {
    super('DISK_FULL', text(cause), { cause })
  }
}

/** The time allowed for the call is over. */
export class TimeoutError extends ShardError {
  constructor(cause: unknown, outcome: Outcome = 'unknown') {
    super('TIMEOUT', text(cause), { retryable: true, outcome, cause })
  }
}

/** The caller's signal ended the call; `cause` is the signal's reason. */
export class AbortedError extends ShardError {
  constructor(cause: unknown, outcome: Outcome = 'not-applied') {
    super('ABORTED', 'the call was aborted', { outcome, cause })
  }
}

/** The executor, catalog or store was closed before this call. */
export class ClosedError extends ShardError {
  constructor(what: string) {
    super('CLOSED', `${what} is closed`)
  }
}

/** Any other refusal by the engine, such as a syntax error or a missing table. */
export class QueryFailedError extends ShardError {
  constructor(cause: unknown, outcome: Outcome = 'not-applied') {
    super('QUERY_FAILED', text(cause), { outcome, cause })
  }
}

/** A column declared as a narrow integer holds a value that a JS number cannot. Declare it BIGINT. */
export class IntegerOutOfRangeError extends ShardError {
  constructor(column: string, value: bigint, outcome: Outcome = 'not-applied') {
    const message = `column ${column} holds ${value}; declare it BIGINT to read it as a bigint`
    super('INTEGER_OUT_OF_RANGE', message, { outcome })
  }
}

function text(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause)
}
