import { type CallOptions, checkBigint, checkText, type Executor, InvalidArgumentError } from '@shard/core'
import type { UpdateQueryBuilder, UpdateResult } from 'kysely'
import { dialectOf } from './dialects.ts'
import { type MetaTables, needMeta } from './meta-table.ts'
import { queryBuilder, run } from './query-builder.ts'

/** The largest token: BIGINT's largest, less one so that a fence can always be raised. */
const MAX_TOKEN = 2n ** 63n - 2n

/** Leave for one region to write to one shard's database. */
export interface Grant {
  readonly shard: string
  readonly region: string
  /** Larger than every token before it in this database. */
  readonly token: bigint
  /** Random, new for each grant: after a restore the same token may be given twice. */
  readonly nonce: string
}

/** The part of a grant that a database checks. */
export type Fencing = Pick<Grant, 'token' | 'nonce'>

/** Who may write to a database, as its own row says. */
export interface FenceState {
  /** Never lowered; 0 in a database that was never granted to anybody. */
  readonly token: bigint
  /** Of the grant; null while nobody owns the database. */
  readonly nonce: string | null
  /** False from a raise to the next grant: nobody may write. */
  readonly owned: boolean
}

/**
 * The fence of one shard's database, kept in its own `shard_meta`. Changes are committed when the call
 * returns, and wait for the transactions that hold the current grant to end: when a raise has returned, no
 * write of an earlier grant is under way or can follow. After an error with outcome `unknown`, read again: a
 * grant is in force if its token and nonce are there; a raise may simply be made again on what is read.
 */
export interface ShardFence {
  /** @throws WrongDatabaseError if the database has no identity */
  read(options?: CallOptions): Promise<FenceState>
  /**
   * Takes the database from whoever owns it: if the token is still `expected` it becomes `expected` + 1 and
   * nobody may write. False if it is another by now; of racers with one token, one gets true.
   * @throws WrongDatabaseError if the database has no identity
   */
  raise(expected: bigint, options?: CallOptions): Promise<boolean>
  /**
   * Gives the database to a grant whose token is larger than `expected`, if its token is still `expected`.
   * False if it is another by now; of racers with one token, one gets true.
   * @throws WrongDatabaseError if the database has no identity
   */
  grant(expected: bigint, grant: Fencing, options?: CallOptions): Promise<boolean>
}

/** The fence of the database that an executor is on. */
export function shardFence(executor: Executor): ShardFence {
  return {
    async read(options) {
      const { token, nonce, owned } = await needMeta(executor, options)
      return { token, nonce, owned: owned === 1 }
    },
    async raise(expected, options) {
      checkToken(expected)
      return swap(executor, expected, { token: expected + 1n, nonce: null, owned: 0 }, options)
    },
    async grant(expected, grant, options) {
      checkToken(expected)
      const { token, nonce } = checkGrant(grant)
      if (token <= expected)
        throw new InvalidArgumentError(`a grant's token must be larger than ${expected}n, not ${token}n`)
      return swap(executor, expected, { token, nonce, owned: 1 }, options)
    },
  }
}

/**
 * Returns the grant if a database could hold it.
 * @throws InvalidArgumentError
 */
export function checkGrant<T extends Fencing>(grant: T): T {
  checkBigint("a grant's token", grant?.token, 1n, MAX_TOKEN)
  checkText("a grant's nonce", grant.nonce, 63)
  return grant
}

function checkToken(token: bigint): void {
  checkBigint('the expected token', token, 0n, MAX_TOKEN)
}

type Change = { readonly token: bigint; readonly nonce: string | null; readonly owned: number }

async function swap(
  executor: Executor,
  expected: bigint,
  change: Change,
  options: CallOptions = {},
): Promise<boolean> {
  if ((await needMeta(executor, options)).token !== expected) return false
  const { lockFence } = dialectOf(executor)
  const call = { signal: options.signal }
  return executor.transaction(async (tx) => {
    if (lockFence !== null) await tx.execute({ sql: lockFence, parameters: [] }, call)
    return (await run(tx, update(tx, expected, change), call)).affectedRows > 0n
  }, options)
}

function update(
  tx: Executor,
  expected: bigint,
  change: Change,
): UpdateQueryBuilder<MetaTables, 'shard_meta', 'shard_meta', UpdateResult> {
  return queryBuilder<MetaTables>(dialectOf(tx))
    .updateTable('shard_meta')
    .set(change)
    .where('id', '=', 1)
    .where('token', '=', expected)
}
