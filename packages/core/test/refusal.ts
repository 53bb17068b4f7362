import { expect } from 'vitest'
import { type ErrorCode, isShardError, type ShardError } from '../src/errors.ts'

/** The error of `call`, which must be ours and of this code. */
export function refusal(code: ErrorCode, call: () => unknown): ShardError {
  try {
    call()
  } catch (error) {
    if (!isShardError(error, code)) throw error
    return error
  }
  throw new Error(`expected ${code}, but the call returned`)
}

/** As `refusal`, of a promise. */
export async function rejection(code: ErrorCode, promise: Promise<unknown>): Promise<ShardError> {
  const error = await promise.then(
    () => new Error(`expected ${code}, but the promise was fulfilled`),
    (reason: unknown) => reason,
  )
  if (!isShardError(error, code)) throw error
  expect(error.message).not.toBe('')
  return error
}
