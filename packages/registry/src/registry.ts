import type { ShardId } from '@shard/core'
import type { ShardChange, ShardRecord, ShardStatus } from './shard.ts'

/** What every call on a registry takes. */
export interface RegistryCall {
  readonly signal?: AbortSignal | undefined
}

/** Who makes a change and why; kept in the shard's history. */
export interface ChangeNote extends RegistryCall {
  /** At most 128 characters. */
  readonly by?: string | undefined
  /** At most 1,000 characters. */
  readonly reason?: string | undefined
}

/** How large a shard may grow; what is absent stays, or has its default on registration. */
export interface Capacity {
  /** Null, the default: unlimited. */
  readonly maxBytes?: bigint | null | undefined
  /** Above 0, at most 1 (0.5). */
  readonly admitThreshold?: number | undefined
  /** Above 0, at most 1 (0.9); one below `admitThreshold` has no effect. */
  readonly hardThreshold?: number | undefined
}

/** What is said of a measured size. */
export interface Measurement extends RegistryCall {
  /** Bytes taken on disk. */
  readonly fileBytes?: bigint | undefined
  /**
   * `reservedEver` as it was read before the measurement began: the reservations up to there are in the size and
   * are dropped. Without it, all that were made before the call are.
   */
  readonly reservedBefore?: bigint | undefined
}

/** A shard to register; all but the first three has a default. */
export interface ShardInput extends Capacity {
  readonly id: ShardId
  readonly name: string
  readonly status: ShardStatus
  readonly databaseId?: string | null | undefined
  readonly region?: string | null | undefined
  /** Bytes in use, if the database is not a new one (0). */
  readonly sizeBytes?: bigint | undefined
  readonly schemaVersion?: bigint | undefined
}

/**
 * The record of one family's shards: which there are, in what state, how full.
 *
 * Every change is one transaction; one that dies half-way has not happened. A change of status, capacity
 * or schema version and its line of history are in the same transaction.
 * Every method throws `INVALID_ARGUMENT` before any I/O for a bad argument, and the executor's errors.
 */
export interface ShardRegistry {
  readonly family: string

  /** Every shard of the family, ascending by id. */
  list(call?: RegistryCall): Promise<readonly ShardRecord[]>

  get(id: ShardId, call?: RegistryCall): Promise<ShardRecord | null>

  /**
   * Adds a shard. Of two that register one id, one wins.
   * @throws UniqueViolationError if the id is registered; what is on file stays as it is
   */
  register(input: ShardInput, note?: ChangeNote): Promise<ShardRecord>

  /**
   * Moves a shard from one status to another, if it is in the first, and at `expectedVersion` when
   * given: of any number of racers one gets true. False: nothing was changed.
   * @throws InvalidArgumentError if `legalTransitions` has no such change
   * @throws NotFoundError
   */
  transition(
    id: ShardId,
    from: ShardStatus,
    to: ShardStatus,
    note?: ChangeNote & { readonly expectedVersion?: bigint | undefined },
  ): Promise<boolean>

  /**
   * Writes a measured size down, clears `sizeError`, and drops the reservations that were made before the
   * measurement began. Of two racers the one that says it began earlier does not undo the other; else the last stays.
   * @throws NotFoundError
   */
  measure(id: ShardId, sizeBytes: bigint, measurement?: Measurement): Promise<void>

  /**
   * Notes why a shard could not be measured; its last size stays.
   * @throws NotFoundError
   */
  recordSizeError(id: ShardId, error: unknown, call?: RegistryCall): Promise<void>

  /**
   * Reserves room for `count` keys (1 to 2^31-1) on a shard that is active and at `expectedVersion`: of any number
   * of racers with one version one gets true. False: nothing was changed. What a process that died has reserved
   * and not used counts until the next measurement.
   * @throws NotFoundError
   */
  reserve(id: ShardId, count: number, expectedVersion: bigint, call?: RegistryCall): Promise<boolean>

  /**
   * Changes what is given of a shard's capacity. The last of two racers stays.
   * @throws NotFoundError
   */
  setCapacity(id: ShardId, capacity: Capacity, note?: ChangeNote): Promise<void>

  /**
   * Writes down which version of the app's tables a shard has. The last of two racers stays.
   * @throws NotFoundError
   */
  setSchemaVersion(id: ShardId, version: bigint, note?: ChangeNote): Promise<void>

  /**
   * Seals the active shard `fullId`, at `expectedVersion`, and makes the standby `standbyId` active in
   * its place: both or, if either is no longer so, neither. With null it makes the standby, then itself
   * at `expectedVersion`, active if no shard of the family is. Of any number of racers one gets true.
   * @throws NotFoundError
   */
  swapActive(
    fullId: ShardId | null,
    standbyId: ShardId,
    expectedVersion: bigint,
    note?: ChangeNote,
  ): Promise<boolean>

  /**
   * The changes of a shard's status, capacity and schema version, oldest first.
   * @throws NotFoundError
   */
  history(id: ShardId, call?: RegistryCall): Promise<readonly ShardChange[]>
}
