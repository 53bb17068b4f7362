import type { Executor } from '@shard/core'
import { dialectOf, queryBuilder, type RetryOptions, textOf } from '@shard/sql'
import { type AliasedRawBuilder, type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { Entry, EntryState } from './directory.ts'
import type { StoredEntry } from './entry-store.ts'

/** A row of the directory's table. */
export interface Row {
  readonly namespace: string
  readonly natural_key: string
  readonly id: bigint
  readonly state: EntryState
  readonly token: string
  readonly version: bigint
  readonly updated_at_ms: bigint
  readonly expires_at_ms: bigint | null
  readonly normaliser: number
}

/** The tables that the directory's queries are written against. */
export interface Tables {
  readonly shard_directory: Row
}

/** One namespace in one database. */
export interface Where {
  readonly executor: Executor
  readonly namespace: string
  readonly retry: RetryOptions | undefined
  /** False while spellings are added to claims. */
  readonly isSingle: boolean
}

/** The columns of an entry as `list` gives it. */
export const listedColumns = [
  'natural_key',
  'id',
  'state',
  'version',
  'updated_at_ms',
  'expires_at_ms',
  'normaliser',
] as const

/** What a row says of an entry. */
export type ListedRow = Pick<Row, (typeof listedColumns)[number]>

/** The same with what is for its claimant alone. */
export type StoredRow = ListedRow & { readonly token: string; readonly left_ms: bigint | null }

/** The builder of an executor's queries. */
export function builder(executor: Executor): Kysely<Tables> {
  return queryBuilder<Tables>(dialectOf(executor))
}

/** The rows of a namespace. */
export function rowsOf({
  executor,
  namespace,
}: Where): SelectQueryBuilder<Tables, 'shard_directory', unknown> {
  return builder(executor).selectFrom('shard_directory').where('namespace', '=', namespace)
}

/** The rows of a namespace with all that a store needs to know. */
export function storedRowsOf(where: Where): SelectQueryBuilder<Tables, 'shard_directory', StoredRow> {
  return rowsOf(where).select([...listedColumns, 'token', leftMs(where.executor)])
}

/** How long a pending claim may go on, by the database's clock. */
function leftMs(executor: Executor): AliasedRawBuilder<bigint | null, 'left_ms'> {
  return sql<bigint | null>`expires_at_ms - ${dialectOf(executor).nowMs}`.as('left_ms')
}

/** An entry from its row. */
export function entryOf(row: ListedRow): Entry {
  return {
    key: textOf(row.natural_key),
    id: row.id,
    state: row.state,
    version: row.version,
    normaliser: row.normaliser,
    updatedAtMs: Number(row.updated_at_ms),
    expiresAtMs: row.expires_at_ms === null ? null : Number(row.expires_at_ms),
  }
}

/** An entry with all that a store knows, from its row. */
export function storedOf(row: StoredRow): StoredEntry {
  const leftMs = row.left_ms === null ? null : Number(row.left_ms)
  return { ...entryOf(row), token: textOf(row.token), leftMs }
}
