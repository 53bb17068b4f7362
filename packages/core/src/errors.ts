/** Every code that Shard throws. Branch on codes, never on message texts. */
export type ErrorCode =
  | 'ABORTED'
  | 'BUSY'
  | 'CLAIM_PENDING'
  | 'CLAIM_REVOKED'
  | 'CLOCK_AHEAD'
  | 'CLOCK_BEFORE_EPOCH'
  | 'CLOCK_SKEW'
  | 'CLOSED'
  | 'CONNECTION_LOST'
  | 'CONSTRAINT_VIOLATION'
  | 'COUNTER_CORRUPT'
  | 'COUNTER_EXISTS'
  | 'COUNTER_MISSING'
  | 'COUNTER_WENT_BACK'
  | 'CROSS_SHARD'
  | 'CROSS_SHARD_TRANSACTION'
  | 'DEADLOCK'
  | 'DISK_FULL'
  | 'EXHAUSTED'
  | 'FENCED'
  | 'INCOMPLETE_FAN_OUT'
  | 'INTEGER_OUT_OF_RANGE'
  | 'INVALID_ARGUMENT'
  | 'INVALID_KEY'
  | 'KEY_TAKEN'
  | 'LAYOUT_EXPIRED'
  | 'LAYOUT_MISMATCH'
  | 'LEASE_LOST'
  | 'NO_FREE_WORKER'
  | 'NO_SHARD_AVAILABLE'
  | 'NOT_FOUND'
  | 'QUERY_FAILED'
  | 'READ_ONLY'
  | 'SCHEMA_MISMATCH'
  | 'SERIALIZATION_FAILURE'
  | 'STORE_REFUSED'
  | 'STORE_UNAVAILABLE'
  | 'STORE_UNSAFE'
  | 'TIMEOUT'
  | 'TRANSACTION_BUSY'
  | 'UNIQUE_VIOLATION'
  | 'UNKNOWN_SHARD'
  | 'UNROUTED'
  | 'WRONG_DATABASE'

/** Was the write applied? After `unknown`, read back something that only this caller could have written. */
export type Outcome = 'not-applied' | 'applied' | 'unknown'

/** What an error says beside its code; the defaults are not retryable and not applied. */
export interface ErrorFacts {
  readonly retryable?: boolean
  readonly outcome?: Outcome
  readonly cause?: unknown
}

const brand: unique symbol = Symbol.for('shard.error') as never

/** The base of every error that Shard throws. */
export class ShardError extends Error {
  readonly code: ErrorCode
  /** True when the same call may succeed if it is simply made again. */
  readonly retryable: boolean
  readonly outcome: Outcome

  constructor(code: ErrorCode, message: string, facts: ErrorFacts = {}) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause })
    this.code = code
    this.retryable = facts.retryable ?? false
    this.outcome = facts.outcome ?? 'not-applied'
    this.name = new.target.name
    Object.defineProperty(this, brand, { value: true })
  }
}

/**
 * Is `error` one of ours, and (when given) of this code?
 * Holds across copies of the package, where `instanceof` does not.
 */
export function isShardError(error: unknown, code?: ErrorCode): error is ShardError {
  if (!(error instanceof Error) || !(brand in error)) return false
  return code === undefined || ('code' in error && error.code === code)
}

/** A bad argument, found before any I/O. */
export class InvalidArgumentError extends ShardError {
  constructor(message: string) {
    super('INVALID_ARGUMENT', message)
  }
}

/** The catalog has no such shard. */
export class UnknownShardError extends ShardError {
  readonly shard: number
  constructor(shard: number) {
    super('UNKNOWN_SHARD', `shard ${shard} is not in the catalog`)
    this.shard = shard
  }
}

/** A statement inside a transaction asked for another database than the transaction's. */
export class CrossShardTransactionError extends ShardError {
  constructor(pinned: string, asked: string) {
    super('CROSS_SHARD_TRANSACTION', `the transaction is on ${pinned}, the statement asks for ${asked}`)
  }
}

/** The keys in a statement live on more than one shard. */
export class CrossShardError extends ShardError {
  /** Ascending; empty where it is not known on which shards the keys live. */
  readonly shards: readonly number[]
  constructor(shards: readonly number[], what: string) {
    super('CROSS_SHARD', shards.length === 0 ? what : `${what}: ${shards.join(', ')}`)
    this.shards = shards
  }
}

/** It is not proven that one shard holds all that a statement is about; nothing was run. */
export class UnroutedError extends ShardError {
  /** The table that is not confined; null if the reason is not about one. */
  readonly table: string | null
  /** The column that has to be pinned. */
  readonly key: string | null
  readonly reason: string
  constructor(table: string | null, key: string | null, reason: string) {
    super('UNROUTED', table === null ? reason : `${key === null ? table : `${table}.${key}`}: ${reason}`)
    this.table = table
    this.key = key
    this.reason = reason
  }
}

/** The call would wait for a transaction or stream that waits for the call. */
export class TransactionBusyError extends ShardError {
  constructor(message: string) {
    super('TRANSACTION_BUSY', message)
  }
}

/** A fan-out in which at least one shard gave no answer. */
export class IncompleteFanOutError extends ShardError {
  readonly failed: readonly number[]
  readonly timedOut: readonly number[]
  readonly unavailable: readonly number[]
  constructor(groups: { failed: number[]; timedOut: number[]; unavailable: number[] }, cause: unknown) {
    const named = Object.entries(groups).filter(([, shards]) => shards.length > 0)
    super('INCOMPLETE_FAN_OUT', named.map(([kind, shards]) => `${kind}: ${shards.join(', ')}`).join('; '), {
      retryable: true,
      cause,
    })
    this.failed = groups.failed
    this.timedOut = groups.timedOut
    this.unavailable = groups.unavailable
  }
}

/** The clock does not allow another id yet; try again in `retryInMs`. */
export class ClockAheadError extends ShardError {
  readonly retryInMs: number
  constructor(retryInMs: number) {
    super('CLOCK_AHEAD', `no id can be minted for another ${retryInMs} ms`, { retryable: true })
    this.retryInMs = retryInMs
  }
}

/** The clock stands before the layout's epoch. */
export class ClockBeforeEpochError extends ShardError {
  constructor(nowMs: number, epochMs: number) {
    super('CLOCK_BEFORE_EPOCH', `the clock (${nowMs}) stands before the epoch (${epochMs})`)
  }
}

/** The layout has no room for this instant: its last millisecond is over. */
export class LayoutExpiredError extends ShardError {
  readonly expiresAtMs: number
  constructor(expiresAtMs: number) {
    super('LAYOUT_EXPIRED', `the layout holds no instant from ${expiresAtMs} on`)
    this.expiresAtMs = expiresAtMs
  }
}

/** Two parts of the system disagree on how an id's bits are split. */
export class LayoutMismatchError extends ShardError {
  constructor(message: string) {
    super('LAYOUT_MISMATCH', message)
  }
}

/** The lease is over, or so near its end (then retryable) that it must be extended before more is done with it. */
export class LeaseLostError extends ShardError {
  readonly worker: number
  constructor(worker: number, retryable: boolean) {
    super('LEASE_LOST', `the lease of worker ${worker} ${retryable ? 'must be extended first' : 'is over'}`, {
      retryable,
    })
    this.worker = worker
  }
}

/** The clocks of this host and of the database differ by more than is allowed. */
export class ClockSkewError extends ShardError {
  /** By how much the host is ahead of the database; negative if it is behind. */
  readonly skewMs: number
  constructor(skewMs: number, maxSkewMs: number) {
    super('CLOCK_SKEW', `the host's clock differs from the database's by ${skewMs} ms, above ${maxSkewMs}`)
    this.skewMs = skewMs
  }
}

/** Every worker number is taken. */
export class NoFreeWorkerError extends ShardError {
  /** Who has them, and until when by the database's clock unless they extend. */
  readonly holders: readonly WorkerHolder[]
  constructor(holders: readonly WorkerHolder[], count: number) {
    const shown = holders.slice(0, 32).map(({ worker, owner }) => `${worker}: ${owner}`)
    super('NO_FREE_WORKER', `none of ${count} workers is free (${shown.join(', ')})`, { retryable: true })
    this.holders = holders
  }
}

/** Who has a worker number. */
export interface WorkerHolder {
  readonly worker: number
  readonly owner: string
  readonly expiresAtMs: number
}

/** The database is not the one that was expected here. */
export class WrongDatabaseError extends ShardError {
  constructor(expected: string, found: string, cause?: unknown) {
    super('WRONG_DATABASE', `expected ${expected}, found ${found}`, { cause })
  }
}

/** A newer holder has taken over: what this one would have written was refused. */
export class FencedError extends ShardError {
  /** The token or epoch that was held. */
  readonly held: bigint
  /** The one that is on file now. */
  readonly current: bigint
  constructor(what: string, held: bigint, current: bigint) {
    super('FENCED', `${what} with token ${held} is no longer in force: the token on file is ${current}`)
    this.held = held
    this.current = current
  }
}

/** A schema step that is on record differs from the step in the code. */
export class SchemaMismatchError extends ShardError {
  constructor(message: string) {
    super('SCHEMA_MISMATCH', message)
  }
}

/** There is no such record. */
export class NotFoundError extends ShardError {
  constructor(what: string) {
    super('NOT_FOUND', `there is no ${what}`)
  }
}

/** No shard admits new keys. */
export class NoShardAvailableError extends ShardError {
  constructor(message: string) {
    super('NO_SHARD_AVAILABLE', message, { retryable: true })
  }
}
