import type { ShardRecord, ShardStatus } from '@shard/registry'

/** A shard of 100 bytes that is full at 50, and at 90 without a standby. */
export function record(id: number, status: ShardStatus, fields: Partial<ShardRecord> = {}): ShardRecord {
  return {
    family: 'users',
    id,
    name: `users_shard_${id}`,
    databaseId: null,
    region: null,
    status,
    sizeBytes: 0n,
    fileBytes: null,
    maxBytes: 100n,
    admitThreshold: 0.5,
    hardThreshold: 0.9,
    reservedKeys: 0n,
    reservedEver: 0n,
    schemaVersion: 0n,
    successorId: null,
    createdAtMs: 0,
    sealedAtMs: null,
    lastSizeCheckAtMs: null,
    sizeError: null,
    version: 1n,
    ...fields,
  }
}
