import { checkInteger, show } from './argument.ts'
import { InvalidArgumentError } from './errors.ts'
import { MAX_SHARD, type ShardId } from './id.ts'

/** The longest suffix that the names below append: `_shard_16777215`. */
const SUFFIX = 15

/**
 * Returns the name of a family: `[a-z][a-z0-9_]*`, short enough that database names made of it fit
 * PostgreSQL's 63 bytes (https://www.postgresql.org/docs/current/limits.html).
 * @throws InvalidArgumentError
 */
export function checkFamily(family: string): string {
  if (typeof family === 'string' && /^[a-z][a-z0-9_]*$/.test(family) && family.length <= 63 - SUFFIX)
    return family
  throw new InvalidArgumentError(
    `a family must match [a-z][a-z0-9_]* and have at most ${63 - SUFFIX} characters, not ${show(family)}`,
  )
}

/** `shardDatabaseName('users', 1)` is `users_shard_0001`; it sorts as the shards do up to 9999. */
export function shardDatabaseName(family: string, shard: ShardId): string {
  return `${checkFamily(family)}_shard_${checkInteger('a shard number', shard, 0, MAX_SHARD)
    .toString()
    .padStart(4, '0')}`
}

/** `directoryDatabaseName('users')` is `users_directory`. */
export function directoryDatabaseName(family: string): string {
  return `${checkFamily(family)}_directory`
}
