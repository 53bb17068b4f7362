import type { ShardChange, ShardRecord } from './shard.ts'

/** A row of `shards`; the key is (family, id). */
export interface ShardRow {
  readonly family: string
  readonly id: number
  readonly name: string
  readonly database_id: string | null
  readonly region: string | null
  readonly status: string
  readonly size_bytes: bigint
  readonly file_bytes: bigint | null
  readonly max_bytes: bigint | null
  readonly admit_threshold: number
  readonly hard_threshold: number
  readonly reserved_keys: bigint
  readonly reserved_ever: bigint
  readonly schema_version: bigint
  readonly successor_id: number | null
  readonly created_at_ms: bigint
  readonly sealed_at_ms: bigint | null
  readonly last_size_check_at_ms: bigint | null
  readonly size_error: string | null
  readonly version: bigint
}

/** A row of `shard_history`; the key is (family, shard_id, version). */
export interface HistoryRow {
  readonly family: string
  readonly shard_id: number
  readonly version: bigint
  readonly from_status: string | null
  readonly to_status: string
  readonly changed_by: string | null
  readonly reason: string | null
  readonly at_ms: bigint
}

/** A row of `shard_families`, which whoever changes a status in the family writes first, and so holds. */
export interface FamilyRow {
  readonly family: string
  /** The number of such changes. */
  readonly version: bigint
}

/** The registry's tables. */
export interface RegistryTables {
  readonly shards: ShardRow
  readonly shard_families: FamilyRow
  readonly shard_history: HistoryRow
}

/** A status that this version does not know is kept as its text. */
export function recordOf(row: ShardRow): ShardRecord {
  return {
    family: row.family,
    id: row.id,
    name: row.name,
    databaseId: row.database_id,
    region: row.region,
    status: row.status,
    sizeBytes: row.size_bytes,
    fileBytes: row.file_bytes,
    maxBytes: row.max_bytes,
    admitThreshold: row.admit_threshold,
    hardThreshold: row.hard_threshold,
    reservedKeys: row.reserved_keys,
    reservedEver: row.reserved_ever,
    schemaVersion: row.schema_version,
    successorId: row.successor_id,
    createdAtMs: Number(row.created_at_ms),
    sealedAtMs: instant(row.sealed_at_ms),
    lastSizeCheckAtMs: instant(row.last_size_check_at_ms),
    sizeError: row.size_error,
    version: row.version,
  }
}

export function changeOf(row: HistoryRow): ShardChange {
  return {
    shard: row.shard_id,
    version: row.version,
    from: row.from_status,
    to: row.to_status,
    by: row.changed_by,
    reason: row.reason,
    atMs: Number(row.at_ms),
  }
}

function instant(ms: bigint | null): number | null {
  return ms === null ? null : Number(ms)
}
