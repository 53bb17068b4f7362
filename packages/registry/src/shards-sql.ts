import { type Executor, NotFoundError, type ShardId } from '@shard/core'
import { run, type SqlDialect } from '@shard/sql'
import type {
  InsertQueryBuilder,
  InsertResult,
  Kysely,
  RawBuilder,
  SelectQueryBuilder,
  UpdateQueryBuilder,
  UpdateResult,
} from 'kysely'
import type { ChangeNote, RegistryCall } from './registry.ts'
import { checkNote } from './registry-arguments.ts'
import { type ShardRecord, type ShardStatus, statusFields } from './shard.ts'
import { type RegistryTables, recordOf, type ShardRow } from './shard-table.ts'

// The statements that a registry's reads and changes are made of.

/** The tables of one family, as one executor or transaction sees them. */
export interface Shards {
  readonly executor: Executor
  readonly dialect: SqlDialect
  readonly db: Kysely<RegistryTables>
  readonly family: string
  readonly orRaise: OrRaise
}

type InsertFamily = InsertQueryBuilder<RegistryTables, 'shard_families', InsertResult>

/** Makes an insert of a family that is on file raise its version by one instead. */
export type OrRaise = (insert: InsertFamily) => InsertFamily

/** The family's rows. */
export function select({ db, family }: Shards): SelectQueryBuilder<RegistryTables, 'shards', ShardRow> {
  return db.selectFrom('shards').selectAll().where('family', '=', family)
}

/** A change of a row of `shards`. */
export type ShardUpdate = UpdateQueryBuilder<RegistryTables, 'shards', 'shards', UpdateResult>

/** A change of one row, which raises its version. */
export function update({ db, family }: Shards, id: ShardId): ShardUpdate {
  return db
    .updateTable('shards')
    .set((eb) => ({ version: eb('version', '+', 1n) }))
    .where('family', '=', family)
    .where('id', '=', id)
}

/** Reads one row; null if there is none. */
export async function find(
  shards: Shards,
  id: ShardId,
  { signal }: RegistryCall = {},
): Promise<ShardRecord | null> {
  const row = (await run(shards.executor, select(shards).where('id', '=', id), { signal })).rows[0]
  return row ? recordOf(row) : null
}

/**
 * Reads one row as it was last committed, whatever snapshot the transaction reads from.
 * @throws NotFoundError
 */
export async function need(tx: Shards, id: ShardId): Promise<ShardRecord> {
  const query = select(tx).where('id', '=', id).modifyEnd(tx.dialect.lockForShare)
  const row = (await run(tx.executor, query)).rows[0]
  if (row) return recordOf(row)
  throw notFound(tx, id)
}

/** Is a shard of the family active, as of the last commit? */
export async function hasActive(tx: Shards): Promise<boolean> {
  const active = select(tx).where('status', '=', 'active').limit(1)
  return (await run(tx.executor, active.modifyEnd(tx.dialect.lockForShare))).rows.length > 0
}

/**
 * Runs a change of one row that has no other condition than its id.
 * @throws NotFoundError
 */
export async function change(
  shards: Shards,
  id: ShardId,
  query: ShardUpdate,
  { signal }: RegistryCall = {},
): Promise<void> {
  if ((await run(shards.executor, query, { signal })).affectedRows === 0n) throw notFound(shards, id)
}

/** A change of status, and what it depends on and carries beside it. */
export interface Move {
  readonly from: ShardStatus
  readonly to: ShardStatus
  readonly note: ChangeNote
  readonly expectedVersion?: bigint | undefined
  readonly successorId?: ShardId
}

/**
 * One compare-and-set of a status, and its line of history; false if the row is not as expected.
 * @throws NotFoundError
 */
export async function move(tx: Shards, id: ShardId, step: Move): Promise<boolean> {
  const { from, to, note, expectedVersion, successorId } = step
  let query = update(tx, id).set(statusColumns(to, tx.dialect.nowMs)).where('status', '=', from)
  if (expectedVersion !== undefined) query = query.where('version', '=', expectedVersion)
  if (successorId !== undefined) query = query.set({ successor_id: successorId })
  const { affectedRows } = await run(tx.executor, query)
  if (affectedRows > 0n) await recordChange(tx, id, from, note)
  else await need(tx, id)
  return affectedRows > 0n
}

/** Copies the row as it now is into the history. */
export async function recordChange(
  tx: Shards,
  id: ShardId,
  from: ShardStatus | 'unchanged' | null,
  note: ChangeNote,
): Promise<void> {
  const { by, reason } = checkNote(note)
  const line = tx.db
    .selectFrom('shards')
    .where('family', '=', tx.family)
    .where('id', '=', id)
    .select((eb) => [
      'family',
      'id',
      'version',
      from === 'unchanged' ? eb.ref('status').as('from_status') : eb.val(from).as('from_status'),
      'status',
      eb.val(by).as('changed_by'),
      eb.val(reason).as('reason'),
      tx.dialect.nowMs.as('at_ms'),
    ])
  const query = tx.db
    .insertInto('shard_history')
    .columns(['family', 'shard_id', 'version', 'from_status', 'to_status', 'changed_by', 'reason', 'at_ms'])
    .expression(line)
  await run(tx.executor, query)
}

/** `statusFields` as columns. */
export function statusColumns(status: ShardStatus, nowMs: RawBuilder<bigint>): StatusColumns {
  const { sealedAtMs, successorId } = statusFields(status, nowMs)
  return {
    status,
    ...(sealedAtMs === undefined ? {} : { sealed_at_ms: sealedAtMs }),
    ...(successorId === undefined ? {} : { successor_id: successorId }),
  }
}

/** What a change of status writes. */
export interface StatusColumns {
  readonly status: ShardStatus
  readonly sealed_at_ms?: RawBuilder<bigint> | null
  readonly successor_id?: null
}

export function notFound({ family }: Shards, id: ShardId): NotFoundError {
  return new NotFoundError(`shard ${id} of ${family}`)
}

/** Runs `work` in turn, in a transaction, which is rolled back if it gives false. */
export async function keptIfTrue(
  shards: Shards,
  call: RegistryCall,
  work: (tx: Shards) => Promise<boolean>,
): Promise<boolean> {
  const rollback = new Error('rolled back')
  try {
    await inTurn(shards, call, async (tx) => {
      if (!(await work(tx))) throw rollback
    })
    return true
  } catch (error) {
    if (error === rollback) return false
    throw error
  }
}

/**
 * Runs a change of statuses in a transaction, one of a family after the other: what it reads stays so until its
 * commit. The family's row is written and not only locked, which also excludes those that read a snapshot.
 */
export function inTurn<T>(shards: Shards, call: RegistryCall, work: (tx: Shards) => Promise<T>): Promise<T> {
  return inTransaction(shards, call, async (tx) => {
    const { db, family, orRaise } = tx
    await run(tx.executor, orRaise(db.insertInto('shard_families').values({ family, version: 1n })))
    return work(tx)
  })
}

export function inTransaction<T>(
  shards: Shards,
  { signal }: RegistryCall,
  work: (tx: Shards) => Promise<T>,
): Promise<T> {
  return shards.executor.transaction((executor) => work({ ...shards, executor }), { signal })
}
