import {
  checkFamily,
  checkInteger,
  checkText,
  type Executor,
  isShardError,
  type ShardId,
  WrongDatabaseError,
} from '@shard/core'
import type { SqlDialect } from './dialect.ts'
import { dialectOf } from './dialects.ts'
import { queryBuilder, run } from './query-builder.ts'
import { applySchema, type SchemaLadder } from './schema-ladder.ts'

/** Which database this is: of which cluster, which family, which shard. */
export interface Identity {
  /** A name that no other cluster has, such as a UUID. */
  readonly cluster: string
  readonly family: string
  readonly shard: ShardId | 'global'
}

interface MetaTable {
  readonly id: number
  readonly cluster: string
  readonly family: string
  readonly shard: number | null
}

function ladderFor({ binaryText }: SqlDialect): SchemaLadder {
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
    ],
  }
}

/**
 * Writes the one row that says which database this is; for set-up code. Writing the same identity
 * again changes nothing; of two callers that write different ones, one wins and the other is refused.
 * @throws WrongDatabaseError if the database has another identity
 */
export async function writeIdentity(executor: Executor, identity: Identity): Promise<void> {
  checkIdentity(identity)
  const dialect = dialectOf(executor)
  await applySchema(executor, ladderFor(dialect))
  await executor.transaction(async (tx) => {
    const found = await readIdentity(tx)
    if (found) return compare(identity, found)
    const { cluster, family, shard } = identity
    const row = { id: 1, cluster, family, shard: shard === 'global' ? null : shard }
    await run(tx, queryBuilder<{ shard_meta: MetaTable }>(dialect).insertInto('shard_meta').values(row))
  })
}

/**
 * Returns the executor if its database is the expected one; use it wherever a shard is opened.
 * @throws WrongDatabaseError if it is another, or has no identity
 */
export async function identified(executor: Executor, expected: Identity): Promise<Executor> {
  checkIdentity(expected)
  let found: Identity | null
  try {
    found = await readIdentity(executor)
  } catch (cause) {
    // A missing table; whatever else went wrong says nothing about whose database it is.
    if (!isShardError(cause, 'QUERY_FAILED')) throw cause
    throw new WrongDatabaseError(describe(expected), 'a database without an identity', cause)
  }
  if (!found) throw new WrongDatabaseError(describe(expected), 'a database without an identity')
  compare(expected, found)
  return executor
}

async function readIdentity(executor: Executor): Promise<Identity | null> {
  const query = queryBuilder<{ shard_meta: MetaTable }>(dialectOf(executor))
    .selectFrom('shard_meta')
    .selectAll()
  const row = (await run(executor, query)).rows[0]
  return row ? { cluster: row.cluster, family: row.family, shard: row.shard ?? 'global' } : null
}

function compare(expected: Identity, found: Identity): void {
  const [want, have] = [describe(expected), describe(found)]
  if (want !== have) throw new WrongDatabaseError(want, have)
}

function describe({ cluster, family, shard }: Identity): string {
  return `${shard === 'global' ? 'the global database' : `shard ${shard}`} of ${family} in cluster ${cluster}`
}

function checkIdentity({ cluster, family, shard }: Identity): void {
  checkText('the name of a cluster', cluster, 63)
  checkFamily(family)
  if (shard !== 'global') checkInteger('a shard number', shard, 0, 2 ** 24 - 1)
}
