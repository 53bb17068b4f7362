import type { ShardId } from '@shard/core'
import { run } from '@shard/sql'
import { sql } from 'kysely'
import type { Capacity, ChangeNote, Measurement, RegistryCall } from './registry.ts'
import {
  checkBytes,
  checkCapacityChange,
  checkMeasurement,
  checkNote,
  checkReservation,
  checkSchemaVersion,
  checkShardId,
  errorText,
  noteOfFields,
} from './registry-arguments.ts'
import {
  change,
  inTransaction,
  need,
  recordChange,
  type Shards,
  type ShardUpdate,
  update,
} from './shards-sql.ts'

// The changes of a record that leave its status alone.

/** Writes a size down, unless one that began later is on file. */
export async function measure(
  shards: Shards,
  id: ShardId,
  sizeBytes: bigint,
  measurement: Measurement = {},
): Promise<void> {
  const { fileBytes, reservedBefore } = checkMeasurement(measurement)
  const size = update(shards, checkShardId(id)).set({
    size_bytes: checkBytes('sizeBytes', sizeBytes),
    ...(fileBytes === undefined ? {} : { file_bytes: fileBytes }),
    last_size_check_at_ms: shards.dialect.nowMs,
    size_error: null,
  })
  const { signal } = measurement
  if (reservedBefore === undefined) return change(shards, id, size.set({ reserved_keys: 0n }), { signal })
  // MySQL sets columns from left to right: nothing here reads what was set before it.
  const since = sql<bigint>`reserved_ever - ${reservedBefore}`
  const query = size
    .set({ reserved_keys: sql<bigint>`case when ${since} > 0 then ${since} else 0 end` })
    .where(sql<bigint>`reserved_ever - reserved_keys`, '<=', reservedBefore)
  if ((await run(shards.executor, query, { signal })).affectedRows === 0n) await need(shards, id)
}

export async function recordSizeError(
  shards: Shards,
  id: ShardId,
  error: unknown,
  call?: RegistryCall,
): Promise<void> {
  const query = update(shards, checkShardId(id)).set({ size_error: errorText(error) })
  await change(shards, id, query, call)
}

/** One compare-and-set; false if the row is not as expected. */
export async function reserve(
  shards: Shards,
  id: ShardId,
  count: number,
  expectedVersion: bigint,
  { signal }: RegistryCall = {},
): Promise<boolean> {
  checkReservation(id, count, expectedVersion)
  const keys = BigInt(count)
  const query = update(shards, id)
    .set((eb) => ({
      reserved_keys: eb('reserved_keys', '+', keys),
      reserved_ever: eb('reserved_ever', '+', keys),
    }))
    .where('status', '=', 'active')
    .where('version', '=', expectedVersion)
  const { affectedRows } = await run(shards.executor, query, { signal })
  if (affectedRows === 0n) await need(shards, id)
  return affectedRows > 0n
}

export async function setCapacity(
  shards: Shards,
  id: ShardId,
  capacity: Capacity,
  note: ChangeNote = {},
): Promise<void> {
  const fields = checkCapacityChange(capacity)
  const { maxBytes, admitThreshold, hardThreshold } = fields
  const query = update(shards, checkShardId(id)).set({
    ...(maxBytes === undefined ? {} : { max_bytes: maxBytes }),
    ...(admitThreshold === undefined ? {} : { admit_threshold: admitThreshold }),
    ...(hardThreshold === undefined ? {} : { hard_threshold: hardThreshold }),
  })
  return changeNoted(shards, id, query, noteOfFields(note, fields))
}

export async function setSchemaVersion(
  shards: Shards,
  id: ShardId,
  version: bigint,
  note: ChangeNote = {},
): Promise<void> {
  const schemaVersion = checkSchemaVersion(version)
  const query = update(shards, checkShardId(id)).set({ schema_version: schemaVersion })
  return changeNoted(shards, id, query, noteOfFields(note, { schemaVersion }))
}

async function changeNoted(shards: Shards, id: ShardId, query: ShardUpdate, note: ChangeNote): Promise<void> {
  checkNote(note)
  await inTransaction(shards, note, async (tx) => {
    await change(tx, id, query)
    await recordChange(tx, id, 'unchanged', note)
  })
}
