import { type Outcome, type ShardError, StoreRefusedError, StoreUnavailableError } from '@shard/core'
import type { S3Answer } from './store.ts'

/** The clocks differ by too much; the SDK has set its own right by the answer, so another attempt may do. */
const SKEWED: ReadonlySet<string> = new Set(['RequestTimeTooSkewed', 'RequestExpired', 'RequestInTheFuture'])

/**
 * What an answer to a conditional PUT says: `applied`; `refused`, the condition did not hold; `doubtful`, only
 * the object itself can tell. Codes: https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
 * @throws StoreUnavailableError, StoreRefusedError
 */
export function verdictOf(answer: S3Answer, isCreation: boolean): 'applied' | 'refused' | 'doubtful' {
  const { status, code, etag, body } = answer
  // A store says what it has written by an ETag and nothing else; a proxy may say anything.
  if (status >= 200 && status < 300)
    return 'text' in body && body.text === '' && etag ? 'applied' : 'doubtful'
  if (status === 412) return 'doubtful'
  if (status === 409 && code === 'ConditionalRequestConflict') return 'refused'
  if (status === 404 && !isCreation && isNoSuchKey(answer)) return 'refused'
  if (status === 0 || status === 408 || code === 'RequestTimeout') return 'doubtful'
  if (status >= 500 && answer.retryInMs === null) return 'doubtful'
  throw failureOf(answer, 'a conditional PUT', status >= 500 ? 'unknown' : 'not-applied')
}

/** Is the object missing, and not the bucket? */
export function isNoSuchKey({ status, code }: S3Answer): boolean {
  return status === 404 && (code === 'NoSuchKey' || code === 'NotFound' || code === '')
}

/** What an answer that is no success amounts to. */
export function failureOf(answer: S3Answer, what: string, outcome: Outcome): ShardError {
  const { status, code, retryInMs, cause } = answer
  const mayPass =
    status === 0 ||
    status === 408 ||
    status === 429 ||
    status >= 500 ||
    code === 'RequestTimeout' ||
    (status === 409 && code === 'OperationAborted') ||
    SKEWED.has(code)
  if (!mayPass) return new StoreRefusedError(status, code, what, cause ?? undefined)
  const reason = status === 0 ? `${what} got no answer` : `${what} was answered with ${status} ${code}`
  return new StoreUnavailableError(reason, outcome, retryInMs, cause ?? undefined)
}
