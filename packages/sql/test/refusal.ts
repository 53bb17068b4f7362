import { type ErrorCode, isShardError, type ShardError } from '@shard/core'

/** The error of `promise`, which must be ours and of this code. */
export async function rejection(code: ErrorCode, promise: Promise<unknown>): Promise<ShardError> {
  const error = await promise.then(
    () => new Error(`expected ${code}, but the promise was fulfilled`),
    (reason: unknown) => reason,
  )
  if (!isShardError(error, code)) throw error
  return error
}
