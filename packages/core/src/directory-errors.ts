import { ShardError } from './errors.ts'

/** The text cannot be a natural key. */
export class InvalidKeyError extends ShardError {
  constructor(reason: string) {
    super('INVALID_KEY', `the key ${reason}`)
  }
}

/** The key belongs to another id. */
export class KeyTakenError extends ShardError {
  /** The id on file. */
  readonly id: bigint
  constructor(id: bigint) {
    super('KEY_TAKEN', `the key belongs to id ${id}`)
    this.id = id
  }
}

/** Somebody else has claimed the key and not finished yet; ask again in `retryInMs`. */
export class ClaimPendingError extends ShardError {
  /** What is left of the claim's time, by the database's clock; after it the claim can be challenged. */
  readonly retryInMs: number
  constructor(retryInMs: number) {
    super('CLAIM_PENDING', `a claim of the key is pending for another ${retryInMs} ms`, { retryable: true })
    this.retryInMs = retryInMs
  }
}

/** The claim expired and was taken back before its account was inserted: nothing may be inserted for it any more. */
export class ClaimRevokedError extends ShardError {
  constructor() {
    super('CLAIM_REVOKED', 'the claim has expired and was revoked')
  }
}
