import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import type { ScratchCounter } from './counter.ts'
import { openS3Counter, type S3CounterOptions } from './s3/open.ts'

export type { S3CounterOptions } from './s3/open.ts'
export type { S3ClientLike } from './s3/store.ts'

/**
 * A counter in one object of S3 or a store like it, which must keep both conditions of a PUT: `probe` finds out.
 * Each call is one request that the SDK does not resend, within a time of its own; after one of which nobody
 * knows what became of it, the object is read, and the swap is `ok` only if the body is this very attempt's.
 * @throws InvalidArgumentError
 */
export function s3Counter(options: S3CounterOptions): ScratchCounter {
  return openS3Counter(options, async () => ({ DeleteObjectCommand, GetObjectCommand, PutObjectCommand }))
}
