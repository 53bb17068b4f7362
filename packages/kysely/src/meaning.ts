import { ClosedError, isShardError, type Outcome, QueryFailedError, type ShardError } from '@shard/core'

/**
 * What an error means by its engine's codes. One without a code may come from anywhere between us and the
 * engine, so it does not say whether the statement was applied.
 */
export function meaningBy(
  error: unknown,
  lost: Outcome,
  translate: (error: unknown, lost: Outcome) => ShardError,
): ShardError {
  if (/driver has already been destroyed/.test(textOf(error))) return new ClosedError('the database')
  const translated = translate(error, lost)
  if (error === translated || !isShardError(translated, 'QUERY_FAILED')) return translated
  return hasCode(error) ? translated : new QueryFailedError(error, lost)
}

/** The text of an error. */
export function textOf(error: unknown): string {
  return String((error as Error | null)?.message ?? error)
}

/** Kysely 0.29 wraps the refusal of a commit. */
function hasCode(error: unknown): boolean {
  const { code, cause } = (error ?? {}) as { code?: unknown; cause?: { code?: unknown } }
  return code !== undefined || cause?.code !== undefined || /SQLITE_[A-Z]+/.test(textOf(error))
}
