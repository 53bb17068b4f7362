import type { ShardId } from '@shard/core'

/** Where a shard stands in its life. */
export type ShardStatus = 'provisioning' | 'standby' | 'active' | 'sealed' | 'disabled' | 'retired'

/** A status text that this version does not know: every predicate says no to it. */
export type UnknownStatus = string & Record<never, never>

/** Every status, in the order of a life. */
export const statuses: readonly ShardStatus[] = [
  'provisioning',
  'standby',
  'active',
  'sealed',
  'disabled',
  'retired',
]

/**
 * Which status may follow which; every other change is refused.
 * A sealed shard has no way back to admission but by an operator, through `disabled`.
 */
export const legalTransitions: Readonly<Record<ShardStatus, readonly ShardStatus[]>> = {
  provisioning: ['standby', 'retired'],
  standby: ['active', 'disabled', 'retired'],
  active: ['sealed', 'disabled'],
  sealed: ['disabled', 'retired'],
  disabled: ['standby', 'active', 'sealed', 'retired'],
  retired: [],
}

/** One shard as the registry knows it. */
export interface ShardRecord {
  readonly family: string
  readonly id: ShardId
  /** The name of its database. */
  readonly name: string
  /** Which database or server it is on, in the words of whoever opens it. */
  readonly databaseId: string | null
  readonly region: string | null
  readonly status: ShardStatus | UnknownStatus
  /** Bytes in use as last measured; 0 until `lastSizeCheckAtMs` says otherwise. */
  readonly sizeBytes: bigint
  /** Bytes taken on disk as last measured, free space inside the file included. */
  readonly fileBytes: bigint | null
  /** Null: unlimited. */
  readonly maxBytes: bigint | null
  /** The fill ratio from which the shard is full and is to be sealed. */
  readonly admitThreshold: number
  /** The fill ratio up to which it still admits while there is no standby. */
  readonly hardThreshold: number
  /** Keys that placers have reserved here and that no measurement has seen yet. */
  readonly reservedKeys: bigint
  /** Keys ever reserved here: tells a measurement which reservations came before it. */
  readonly reservedEver: bigint
  readonly schemaVersion: bigint
  /** The shard that took over when this one was sealed. */
  readonly successorId: ShardId | null
  readonly createdAtMs: number
  readonly sealedAtMs: number | null
  readonly lastSizeCheckAtMs: number | null
  /** Why the last attempt to measure failed; null after one that did not. */
  readonly sizeError: string | null
  /** Rises by one with every change of the record. */
  readonly version: bigint
}

/** One line of a shard's history; a change of capacity or schema has the same status on both sides. */
export interface ShardChange {
  readonly shard: ShardId
  /** The record's version after the change. */
  readonly version: bigint
  /** Null: the shard was registered. */
  readonly from: ShardStatus | UnknownStatus | null
  readonly to: ShardStatus | UnknownStatus
  readonly by: string | null
  readonly reason: string | null
  readonly atMs: number
}

/** What the predicates on a status need to see. */
type WithStatus = Pick<ShardRecord, 'status'>

/** What the predicates on a size need to see. */
type WithSize = Pick<ShardRecord, 'sizeBytes' | 'maxBytes'>

/** What a change of status writes beside it: the instant of sealing, cleared when the shard may admit again. */
export function statusFields<Instant>(
  status: ShardStatus,
  now: Instant,
): { status: ShardStatus; sealedAtMs?: Instant | null; successorId?: null } {
  if (status === 'sealed') return { status, sealedAtMs: now }
  return status === 'active' || status === 'standby'
    ? { status, sealedAtMs: null, successorId: null }
    : { status }
}

/** Is it a status of this version, rather than a text of a later one or of nobody? */
export function isKnownStatus(status: ShardStatus | UnknownStatus): status is ShardStatus {
  return (statuses as readonly string[]).includes(status)
}

/** The shards whose status text this version does not know, with the text; in the order given. */
export function unknownStatuses(
  shards: readonly Pick<ShardRecord, 'id' | 'status'>[],
): readonly { readonly shard: ShardId; readonly status: UnknownStatus }[] {
  return shards
    .filter(({ status }) => !isKnownStatus(status))
    .map(({ id, status }) => ({ shard: id, status }))
}

/** Does it take new keys, as far as its status goes? */
export function isAdmissible({ status }: WithStatus): boolean {
  return status === 'active'
}

/** Are rows of keys that live there written? */
export function isWritable({ status }: WithStatus): boolean {
  return status === 'active' || status === 'sealed'
}

/**
 * Does a read across shards ask it? A standby counts: it is empty, and a list that was read just
 * before a promotion must not miss what was written just after.
 */
export function isReadable({ status }: WithStatus): boolean {
  return status === 'active' || status === 'sealed' || status === 'standby'
}

/** The numbers of the shards that a read across shards asks, in the order given. */
export function liveShards(shards: readonly Pick<ShardRecord, 'id' | 'status'>[]): readonly ShardId[] {
  return shards.filter(isReadable).map(({ id }) => id)
}

/** Bytes in use and `pendingBytes` on their way, over the bytes allowed; 0 if unlimited. */
export function fillRatio({ sizeBytes, maxBytes }: WithSize, pendingBytes = 0n): number {
  return maxBytes === null ? 0 : Number(sizeBytes + pendingBytes) / Number(maxBytes)
}

/** Has it reached its admission threshold by measured bytes? */
export function isFull(shard: WithSize & Pick<ShardRecord, 'admitThreshold'>): boolean {
  return fillRatio(shard) >= shard.admitThreshold
}

/** Is it active and below a fill ratio, its admission threshold unless said otherwise? */
export function acceptsAdmission(
  shard: WithStatus & WithSize & Pick<ShardRecord, 'admitThreshold'>,
  { pendingBytes = 0n, threshold = shard.admitThreshold }: { pendingBytes?: bigint; threshold?: number } = {},
): boolean {
  return isAdmissible(shard) && fillRatio(shard, pendingBytes) < threshold
}
