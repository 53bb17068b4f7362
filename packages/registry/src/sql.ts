import { checkFamily, type Executor, type ShardId } from '@shard/core'
import { dialectOf, queryBuilder, type RetryOptions, retryRefused, run } from '@shard/sql'
import { measure, recordSizeError, reserve, setCapacity, setSchemaVersion } from './fields-sql.ts'
import type { ChangeNote, RegistryCall, ShardInput, ShardRegistry } from './registry.ts'
import {
  checkInput,
  checkNote,
  checkShardId,
  checkSwap,
  checkTransition,
  checkVersion,
} from './registry-arguments.ts'
import type { ShardChange, ShardRecord, ShardStatus } from './shard.ts'
import { changeOf, type RegistryTables, recordOf } from './shard-table.ts'
import {
  find,
  hasActive,
  inTurn,
  keptIfTrue,
  move,
  need,
  notFound,
  type OrRaise,
  recordChange,
  type Shards,
  select,
  statusColumns,
} from './shards-sql.ts'

/** What a registry in a database is made of. */
export interface RegistryOptions {
  readonly family: string
  /** How a change is made again that the engine refused for the sake of a rival. */
  readonly retry?: RetryOptions | undefined
}

/** A registry in the global database behind an executor; the dialect files bind it. */
export function sqlRegistry(
  executor: Executor,
  { family, retry }: RegistryOptions,
  orRaise: OrRaise,
): ShardRegistry {
  const dialect = dialectOf(executor)
  const db = queryBuilder<RegistryTables>(dialect)
  const shards: Shards = { executor, dialect, db, family: checkFamily(family), orRaise }
  const again = <T>(call: RegistryCall | undefined, work: () => Promise<T>): Promise<T> =>
    retryRefused(work, retry, call?.signal)
  return {
    family,
    list: (call) => list(shards, call),
    get: async (id, call) => find(shards, checkShardId(id), call),
    register: (input, note) => again(note, () => register(shards, input, note)),
    transition: (id, from, to, note) => again(note, () => transition(shards, id, from, to, note)),
    measure: (id, bytes, measurement) => again(measurement, () => measure(shards, id, bytes, measurement)),
    recordSizeError: (id, error, call) => again(call, () => recordSizeError(shards, id, error, call)),
    reserve: (id, count, version, call) => again(call, () => reserve(shards, id, count, version, call)),
    setCapacity: (id, capacity, note) => again(note, () => setCapacity(shards, id, capacity, note)),
    setSchemaVersion: (id, version, note) => again(note, () => setSchemaVersion(shards, id, version, note)),
    swapActive: (fullId, standbyId, version, note) =>
      again(note, () => swapActive(shards, fullId, standbyId, version, note)),
    history: (id, call) => history(shards, id, call),
  }
}

async function list(shards: Shards, { signal }: RegistryCall = {}): Promise<readonly ShardRecord[]> {
  const { rows } = await run(shards.executor, select(shards).orderBy('id'), { signal })
  return rows.map(recordOf)
}

async function register(shards: Shards, input: ShardInput, note: ChangeNote = {}): Promise<ShardRecord> {
  const checked = checkInput(input)
  checkNote(note)
  return inTurn(shards, note, async (tx) => {
    const { nowMs } = tx.dialect
    const row = {
      family: tx.family,
      id: checked.id,
      name: checked.name,
      database_id: checked.databaseId,
      region: checked.region,
      size_bytes: checked.sizeBytes,
      max_bytes: checked.maxBytes,
      admit_threshold: checked.admitThreshold,
      hard_threshold: checked.hardThreshold,
      reserved_keys: 0n,
      reserved_ever: 0n,
      schema_version: checked.schemaVersion,
      created_at_ms: nowMs,
      ...statusColumns(checked.status, nowMs),
      version: 1n,
    }
    await run(tx.executor, tx.db.insertInto('shards').values(row))
    await recordChange(tx, checked.id, null, note)
    return need(tx, checked.id)
  })
}

async function transition(
  shards: Shards,
  id: ShardId,
  from: ShardStatus,
  to: ShardStatus,
  note: ChangeNote & { expectedVersion?: bigint | undefined } = {},
): Promise<boolean> {
  const { expectedVersion } = note
  checkShardId(id)
  checkTransition(from, to)
  checkNote(note)
  if (expectedVersion !== undefined) checkVersion(expectedVersion)
  return keptIfTrue(shards, note, (tx) => move(tx, id, { from, to, note, expectedVersion }))
}

async function swapActive(
  shards: Shards,
  fullId: ShardId | null,
  standbyId: ShardId,
  expectedVersion: bigint,
  note: ChangeNote = {},
): Promise<boolean> {
  checkSwap(fullId, standbyId, expectedVersion)
  checkNote(note)
  return keptIfTrue(shards, note, async (tx) => {
    await need(tx, standbyId)
    if (fullId === null) {
      if (await hasActive(tx)) return false
      return move(tx, standbyId, { from: 'standby', to: 'active', note, expectedVersion })
    }
    const sealed = { from: 'active', to: 'sealed', note, expectedVersion, successorId: standbyId } as const
    if (!(await move(tx, fullId, sealed))) return false
    return move(tx, standbyId, { from: 'standby', to: 'active', note })
  })
}

async function history(
  shards: Shards,
  id: ShardId,
  { signal }: RegistryCall = {},
): Promise<readonly ShardChange[]> {
  const query = shards.db
    .selectFrom('shard_history')
    .selectAll()
    .where('family', '=', shards.family)
    .where('shard_id', '=', checkShardId(id))
    .orderBy('version')
  const { rows } = await run(shards.executor, query, { signal })
  if (rows.length === 0) throw notFound(shards, id)
  return rows.map(changeOf)
}
