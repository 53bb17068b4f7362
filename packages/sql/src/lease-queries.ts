import { type Compilable, type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { SqlDialect } from './dialect.ts'
import { markAfter } from './held-lease.ts'
import type { LeaseRecord, Reservation } from './lease.ts'
import type { LeaseClaim } from './lease-store.ts'
import { FLOOR, type LeaseTables } from './lease-table.ts'
import { queryBuilder } from './query-builder.ts'
import { textOf } from './text-of.ts'

/** What a bump adds to an epoch at the least. */
const EPOCHS_PER_BUMP = 1n << 32n

/**
 * Epochs that a name may use up per millisecond from one bump to the next. A bump sets epochs by the clock too,
 * since the bump that followed an earlier restore of the same backup is not on record. It lasts until 2248.
 */
const EPOCHS_PER_MS = 1n << 20n

/** What the holder of a row needs to know. */
export interface OwnRow {
  readonly epoch: bigint
  readonly mark_ms: bigint
}

/** A row, and what the database's clock says of it. */
export interface LeaseReading extends OwnRow {
  readonly name: string | Uint8Array
  readonly owner: string | Uint8Array | null
  readonly expires_at_ms: bigint
  readonly held: bigint
  readonly now_ms: bigint
}

/** The statements on `shard_leases`: each asks the database's own clock, each change answers by its row count. */
export class LeaseQueries {
  readonly #nowMs: RawBuilder<bigint>
  readonly #db: Kysely<LeaseTables>

  constructor(dialect: SqlDialect) {
    this.#nowMs = dialect.nowMs
    this.#db = queryBuilder<LeaseTables>(dialect)
  }

  take({ name, owner, token, ttlMs, reserve }: LeaseClaim): Compilable<unknown> {
    return this.#db
      .updateTable('shard_leases')
      .set({ owner, token, epoch: sql`epoch + 1`, expires_at_ms: this.#after(ttlMs), ...markSet(reserve) })
      .where('name', '=', name)
      .where((eb) => eb.or([eb('token', 'is', null), eb('expires_at_ms', '<=', this.#nowMs)]))
  }

  /** The first row of a name. */
  insert(claim: LeaseClaim, floor: { epoch: bigint; markMs: number }): Compilable<unknown> {
    const { name, owner, token, ttlMs, reserve } = claim
    const mark = reserve ? markAfter(floor.markMs, reserve) : floor.markMs
    return this.#db.insertInto('shard_leases').values({
      name,
      owner,
      token,
      epoch: floor.epoch + 1n,
      expires_at_ms: this.#after(ttlMs),
      mark_ms: BigInt(mark),
    })
  }

  extend({ name, token, ttlMs, reserve }: LeaseClaim): Compilable<unknown> {
    const expiry = larger(sql`expires_at_ms`, this.#after(ttlMs))
    return this.#db
      .updateTable('shard_leases')
      .set({ expires_at_ms: expiry, ...markSet(reserve) })
      .where('name', '=', name)
      .where('token', '=', token)
      .where('expires_at_ms', '>', this.#nowMs)
  }

  release(name: string, token: string): Compilable<unknown> {
    return this.#db
      .updateTable('shard_leases')
      .set({ owner: null, token: null })
      .where('name', '=', name)
      .where('token', '=', token)
  }

  /** Frees every lease, and lifts every epoch and mark, those of names without a row too. */
  bump(aheadMs: number): Compilable<unknown> {
    const epoch = larger(sql`epoch + ${EPOCHS_PER_BUMP}`, sql`${this.#nowMs} * ${EPOCHS_PER_MS}`)
    const mark = larger(sql`mark_ms`, this.#after(aheadMs))
    return this.#db.updateTable('shard_leases').set({ owner: null, token: null, epoch, mark_ms: mark })
  }

  /** The row that a token has taken. */
  own(name: string, token: string): Compilable<OwnRow> {
    return this.#db
      .selectFrom('shard_leases')
      .select(['epoch', 'mark_ms'])
      .where('name', '=', name)
      .where('token', '=', token)
  }

  read(names: readonly string[]): Compilable<LeaseReading> {
    return this.#readings().where('name', 'in', names)
  }

  /** What lies under a folder, and the floor. */
  readFolder(folder: string): Compilable<LeaseReading> {
    // '0' comes after '/'.
    const isInside = sql<boolean>`name >= ${`${folder}/`} and name < ${`${folder}0`}`
    return this.#readings()
      .where((eb) => eb.or([isInside, eb('name', '=', FLOOR)]))
      .orderBy('name')
  }

  /** The row that names without one start from. */
  insertFloor(): Compilable<unknown> {
    const row = { name: FLOOR, epoch: 0n, expires_at_ms: 0n, mark_ms: 0n }
    return this.#db.insertInto('shard_leases').values({ ...row, owner: null, token: null })
  }

  #readings(): SelectQueryBuilder<LeaseTables, 'shard_leases', LeaseReading> {
    const held = sql<bigint>`case when token is not null and expires_at_ms > ${this.#nowMs} then 1 else 0 end`
    return this.#db
      .selectFrom('shard_leases')
      .select(['name', 'owner', 'epoch', 'expires_at_ms', 'mark_ms'])
      .select([held.as('held'), this.#nowMs.as('now_ms')])
  }

  #after(ms: number): RawBuilder<bigint> {
    return sql<bigint>`${this.#nowMs} + ${BigInt(ms)}`
  }
}

export function recordOf(row: LeaseReading): LeaseRecord {
  return {
    name: textOf(row.name),
    owner: row.owner === null ? null : textOf(row.owner),
    epoch: row.epoch,
    isHeld: row.held === 1n,
    expiresAtMs: Number(row.expires_at_ms),
    markMs: Number(row.mark_ms),
    readAtMs: Number(row.now_ms),
  }
}

function markSet(reserve: Reservation | undefined): { mark_ms?: RawBuilder<bigint> } {
  if (!reserve) return {}
  const start = larger(sql`mark_ms`, sql`${BigInt(reserve.fromMs)}`)
  return { mark_ms: sql`${start} + ${BigInt(reserve.lengthMs)}` }
}

function larger(a: RawBuilder<unknown>, b: RawBuilder<unknown>): RawBuilder<bigint> {
  return sql<bigint>`case when ${a} > ${b} then ${a} else ${b} end`
}
