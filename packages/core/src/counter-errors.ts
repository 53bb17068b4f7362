import { type Outcome, ShardError } from './errors.ts'

// What can be wrong with a counter that ids come from, and with the store that keeps it.

/** There is no counter: it was never made, or it was deleted. Ids never start again at 1 by themselves. */
export class CounterMissingError extends ShardError {
  constructor(where: string) {
    super('COUNTER_MISSING', `there is no counter at ${where}`)
  }
}

/** There is a counter already; it was left as it is. */
export class CounterExistsError extends ShardError {
  constructor(where: string) {
    super('COUNTER_EXISTS', `there is a counter at ${where} already`)
  }
}

/** By which sign a counter was found to be older than, or not the one, that it should be. */
export type CounterSign = 'value' | 'generation' | 'home' | 'floor'

/**
 * The counter is not the one that was here before, or an older copy of it: ids from it may repeat. Nothing helps
 * but a person who finds out why, and repairs it.
 */
export class CounterWentBackError extends ShardError {
  readonly sign: CounterSign
  constructor(sign: CounterSign, expected: string, found: string) {
    super('COUNTER_WENT_BACK', `the counter's ${sign} should be ${expected}, and is ${found}`)
    this.sign = sign
  }
}

/** What is kept in place of the counter cannot be read as one. */
export class CounterCorruptError extends ShardError {
  /** What a swap takes that replaces it. */
  readonly version: string | null
  constructor(reason: string, version: string | null) {
    super('COUNTER_CORRUPT', `the counter cannot be read: ${reason}`)
    this.version = version
  }
}

/** The sequence has no ids left, or not as many as were asked for. */
export class ExhaustedError extends ShardError {
  /** The last id that the sequence can give. */
  readonly max: bigint
  constructor(max: bigint, wanted: bigint) {
    super('EXHAUSTED', `the sequence ends at ${max} and has no ${wanted} left`)
    this.max = max
  }
}

/** The store says no, and will say no again: rights, a bucket that is not there, a request it does not take. */
export class StoreRefusedError extends ShardError {
  /** The HTTP status. */
  readonly status: number
  /** The store's own code, such as `AccessDenied`; empty if it gave none. */
  readonly reason: string
  constructor(status: number, reason: string, what: string, cause?: unknown) {
    super('STORE_REFUSED', `${what} was refused: ${status} ${reason}`, { cause })
    this.status = status
    this.reason = reason
  }
}

/** The store is busy, broken or out of reach; try again, after `retryInMs` if it said so. */
export class StoreUnavailableError extends ShardError {
  /** What the store asked for by `Retry-After`; null if it did not. */
  readonly retryInMs: number | null
  constructor(reason: string, outcome: Outcome, retryInMs: number | null, cause?: unknown) {
    super('STORE_UNAVAILABLE', reason, { retryable: true, outcome, cause })
    this.retryInMs = retryInMs
  }
}

/** The store does not keep what a counter needs: it ignores a condition, or has no strong ETags. */
export class StoreUnsafeError extends ShardError {
  constructor(reason: string) {
    super('STORE_UNSAFE', reason)
  }
}
