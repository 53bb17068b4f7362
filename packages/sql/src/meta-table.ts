import { type CallOptions, type Executor, isShardError, type ShardId, WrongDatabaseError } from '@shard/core'
import type { SqlDialect } from './dialect.ts'
import { dialectOf } from './dialects.ts'
import { queryBuilder, run } from './query-builder.ts'
import type { SchemaLadder } from './schema-ladder.ts'
import { textOf } from './text-of.ts'

/** A database's one row about itself: which it is (step 1), and who may write to it (step 2). */
export interface MetaRow {
  readonly id: number
  readonly cluster: string
  readonly family: string
  readonly shard: ShardId | null
  readonly incarnation: bigint
  readonly token: bigint
  readonly nonce: string | null
  readonly owned: number
}

/** The tables that queries on it are written against. */
export interface MetaTables {
  shard_meta: MetaRow
}

/** The ladder of `shard_meta`. */
export function metaSchema({ binaryText }: SqlDialect): SchemaLadder {
  return {
    name: 'shard_meta',
    steps: [
      [
        `create table shard_meta (
  id integer not null primary key check (id = 1),
  cluster ${binaryText} not null,
  family ${binaryText} not null,
  shard integer check (shard >= 0)
)`,
      ],
      [
        'alter table shard_meta add column incarnation bigint not null default 1 check (incarnation > 0)',
        'alter table shard_meta add column token bigint not null default 0 check (token >= 0)',
        `alter table shard_meta add column nonce ${binaryText}`,
        'alter table shard_meta add column owned smallint not null default 0 check (owned in (0, 1))',
      ],
    ],
  }
}

/**
 * Reads the row; null if there is none. With `lock`, as it was last committed, and nobody changes it until
 * the end of the transaction.
 * @throws WrongDatabaseError if the table is missing
 */
export async function readMeta(
  executor: Pick<Executor, 'dialect' | 'execute'>,
  { lock = false, ...call }: CallOptions & { readonly lock?: boolean } = {},
): Promise<MetaRow | null> {
  const dialect = dialectOf(executor)
  const all = queryBuilder<MetaTables>(dialect).selectFrom('shard_meta').selectAll().where('id', '=', 1)
  try {
    const { rows } = await run(executor, lock ? all.modifyEnd(dialect.lockForShare) : all, call)
    return rows[0] ? decode(rows[0]) : null
  } catch (cause) {
    // A missing table; whatever else went wrong says nothing about whose database it is.
    if (!isShardError(cause, 'QUERY_FAILED')) throw cause
    throw new WrongDatabaseError('a database with an identity', 'one without', cause)
  }
}

/**
 * Reads the row of a database that must have one.
 * @throws WrongDatabaseError
 */
export async function needMeta(
  executor: Executor,
  options: CallOptions & { readonly lock?: boolean } = {},
): Promise<MetaRow> {
  const row = await readMeta(executor, options)
  if (row) return row
  throw new WrongDatabaseError('a database with an identity', 'one without')
}

function decode(row: MetaRow): MetaRow {
  return {
    ...row,
    cluster: textOf(row.cluster),
    family: textOf(row.family),
    nonce: row.nonce === null ? null : textOf(row.nonce),
  }
}
