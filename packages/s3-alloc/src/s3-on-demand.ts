import type { ScratchCounter } from './counter.ts'
import { openS3Counter, type S3CounterOptions } from './s3/open.ts'

/**
 * The same as `s3Counter` of `@shard/s3-alloc/s3`, which says what it does; this one loads `@aws-sdk/client-s3` at
 * its first call, so that this door opens where the SDK is not installed.
 * @throws InvalidArgumentError
 */
export function s3Counter(options: S3CounterOptions): ScratchCounter {
  return openS3Counter(options, () => import('@aws-sdk/client-s3'))
}
