import {
  checkBigint,
  checkFamily,
  checkInteger,
  checkText,
  type Executor,
  isShardError,
  type ShardId,
  WrongDatabaseError,
} from '@shard/core'
import { dialectOf } from './dialects.ts'
import { type MetaTables, metaSchema, readMeta } from './meta-table.ts'
import { queryBuilder, run } from './query-builder.ts'
import { applySchema } from './schema-ladder.ts'

/** Which database this is: of which cluster, which family, which shard. */
export interface Identity {
  /** A name that no other cluster has, such as a UUID. */
  readonly cluster: string
  readonly family: string
  readonly shard: ShardId | 'global'
  /** Which of the databases that have been this shard, such as a copy restored from a backup (1n). */
  readonly incarnation?: bigint
}

/**
 * Writes the identity fields of the one row that says which database this is, and brings its table up to this
 * version; for set-up code. The fence is left as it is. Writing the same identity again changes nothing, also
 * from many processes at once or after a lost reply; of callers that write different ones, one wins and the
 * others are refused.
 * @throws WrongDatabaseError if the database has another identity
 */
export async function writeIdentity(executor: Executor, identity: Identity): Promise<void> {
  checkIdentity(identity)
  const dialect = dialectOf(executor)
  await applySchema(executor, metaSchema(dialect))
  const found = await readIdentity(executor)
  if (found) return compare(identity, found)
  const { cluster, family, shard, incarnation = 1n } = identity
  const row = { id: 1, cluster, family, shard: shard === 'global' ? null : shard, incarnation }
  const insert = queryBuilder<{ shard_meta: typeof row }>(dialect).insertInto('shard_meta').values(row)
  try {
    // Inside a caller's transaction this is a savepoint, without which Postgres could not go on.
    await executor.transaction((tx) => run(tx, insert))
  } catch (error) {
    if (!isShardError(error, 'UNIQUE_VIOLATION')) throw error
    const winner = await readIdentity(executor)
    if (!winner) throw error
    compare(identity, winner)
  }
}

/**
 * Returns the executor if its database is the expected one; use it wherever a shard is opened. From then on the
 * same is asked of every new connection before its first use, where the driver tells connections apart, as those
 * of Postgres and MySQL do (behind a pooler, of connections to the pooler); SQLite has one. A connection that
 * leads elsewhere is not used, and rejects the call that met it with the same error.
 * @throws WrongDatabaseError if it is another, or has no identity
 */
export async function identified(executor: Executor, expected: Identity): Promise<Executor> {
  checkIdentity(expected)
  await checkDatabase(executor, expected)
  executor.checkConnections?.((connection) => checkDatabase(connection, expected))
  return executor
}

type Connection = Pick<Executor, 'dialect' | 'execute'>

async function checkDatabase(executor: Connection, expected: Identity): Promise<void> {
  const found = await readIdentity(executor)
  if (!found) throw new WrongDatabaseError(describe(expected), 'a database without an identity')
  compare(expected, found)
}

async function readIdentity(executor: Connection): Promise<Identity | null> {
  const row = await readMeta(executor)
  if (!row) return null
  // A table that is still on its first step knows of no incarnation.
  const { cluster, family, shard, incarnation = 1n } = row as Partial<MetaTables['shard_meta']> & typeof row
  return { cluster, family, shard: shard ?? 'global', incarnation }
}

function compare(expected: Identity, found: Identity): void {
  const [want, have] = [describe(expected), describe(found)]
  if (want !== have) throw new WrongDatabaseError(want, have)
}

function describe({ cluster, family, shard, incarnation = 1n }: Identity): string {
  const what = shard === 'global' ? 'the global database' : `shard ${shard}`
  return `${what} of ${family} in cluster ${cluster}, incarnation ${incarnation}`
}

function checkIdentity({ cluster, family, shard, incarnation = 1n }: Identity): void {
  checkText('the name of a cluster', cluster, 63)
  checkFamily(family)
  if (shard !== 'global') checkInteger('a shard number', shard, 0, 2 ** 24 - 1)
  checkBigint('an incarnation', incarnation, 1n, 2n ** 63n - 1n)
}
