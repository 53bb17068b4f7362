import { ShardError } from './errors.ts'

/** The shard has a home already, and it is another region. */
export class AlreadyAllocatedError extends ShardError {
  readonly shardId: string
  /** Where it is. */
  readonly region: string
  constructor(shardId: string, region: string) {
    super('ALREADY_ALLOCATED', `shard ${shardId} is allocated to ${region}`)
    this.shardId = shardId
    this.region = region
  }
}

/** The coordinator has no such shard. */
export class UnknownShardIdError extends ShardError {
  readonly shardId: string
  constructor(shardId: string) {
    super('UNKNOWN_SHARD_ID', `shard ${shardId} was never allocated, or was removed`)
    this.shardId = shardId
  }
}

/** The region cannot be given a shard: it is not known, is draining, was terminated or has restarted since. */
export class RegionUnavailableError extends ShardError {
  readonly region: string
  constructor(region: string, why: string) {
    super('REGION_UNAVAILABLE', `region ${region} ${why}`)
    this.region = region
  }
}

/** What was asked does not fit the hand-off that the shard is in, or where it is by now. */
export class HandoffConflictError extends ShardError {
  readonly shardId: string
  constructor(shardId: string, why: string) {
    super('HANDOFF_CONFLICT', `shard ${shardId} ${why}`)
    this.shardId = shardId
  }
}

/** Another coordinator leads, or none does yet; ask again, or ask that one. */
export class NotLeaderError extends ShardError {
  constructor(why: string, outcome: 'not-applied' | 'unknown' = 'not-applied') {
    super('NOT_LEADER', why, { retryable: true, outcome })
  }
}

/** The command is older than what the coordinator remembers: it cannot tell whether it was carried out. */
export class StaleCommandError extends ShardError {
  readonly commandId: string
  constructor(commandId: string) {
    super('STALE_COMMAND', `command ${commandId} is older than those that are remembered`, {
      outcome: 'unknown',
    })
    this.commandId = commandId
  }
}

/** Somebody else has appended since: read what it was, and decide again. */
export class SequenceConflictError extends ShardError {
  readonly expected: bigint
  /** The highest sequence on file. */
  readonly actual: bigint
  constructor(persistenceId: string, expected: bigint, actual: bigint) {
    super('SEQUENCE_CONFLICT', `${persistenceId} ends at ${actual}, not at ${expected}`)
    this.expected = expected
    this.actual = actual
  }
}

/** What was recorded is not whole: something is missing or cannot be read. Nothing is made of the rest. */
export class IntegrityError extends ShardError {
  /** Where. */
  readonly sequence: bigint
  constructor(what: string, sequence: bigint, cause?: unknown) {
    super('INTEGRITY', `${what} (at sequence ${sequence})`, { cause })
    this.sequence = sequence
  }
}

/** The events that were asked for have been deleted; begin with a snapshot. */
export class TruncatedError extends ShardError {
  /** The first sequence that is still there. */
  readonly firstSequence: bigint
  constructor(persistenceId: string, asked: bigint, firstSequence: bigint) {
    super('TRUNCATED', `${persistenceId} begins at ${firstSequence} by now, ${asked} was asked for`)
    this.firstSequence = firstSequence
  }
}

/** A newer version has written an event that this one does not understand. */
export class UnknownEventError extends ShardError {
  readonly type: string
  readonly version: number
  readonly sequence: bigint
  constructor(type: string, version: number, sequence: bigint) {
    super('UNKNOWN_EVENT', `event ${sequence} is a ${type} of version ${version}, which is not known here`)
    this.type = type
    this.version = version
    this.sequence = sequence
  }
}
