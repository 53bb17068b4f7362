import {
  type Clock,
  checkInteger,
  checkText,
  type Delay,
  InvalidArgumentError,
  systemClock,
  delay as timer,
} from '@shard/core'
import type { ScratchCounter } from '../counter.ts'
import { EtagSpelling } from './etag.ts'
import { homeOf } from './home.ts'
import { S3Counter } from './s3-counter.ts'
import { type S3ClientLike, S3Store, type Sdk } from './store.ts'

/** Where a counter's object is, and how patient its calls are. */
export interface S3CounterOptions {
  /** An `S3Client` of `@aws-sdk/client-s3`; it stays the caller's. */
  readonly client: S3ClientLike
  readonly bucket: string
  /** The object's key, one for each sequence (`mesh/id-sequence`). */
  readonly key?: string | undefined
  /** Put before the key, with a slash between. */
  readonly prefix?: string | undefined
  /** Where the counter belongs, the same for all its users (the client's endpoint or region, and the bucket). */
  readonly home?: string | undefined
  /** Rewrites a bare number, as older versions kept it, in the present format (false). */
  readonly upgradeFormat?: boolean | undefined
  /** How long one request may take, in ms (2,000). */
  readonly requestTimeoutMs?: number | undefined
  /** How many requests may be under way at once, those included that nobody waits for any more (8). */
  readonly maxConcurrency?: number | undefined
  readonly clock?: Clock | undefined
  readonly delay?: Delay | undefined
}

const DEFAULT_KEY = 'mesh/id-sequence'

/** What both doors to a counter in S3 do; `sdk` gives the commands. */
export function openS3Counter(options: S3CounterOptions, sdk: () => Promise<Sdk>): ScratchCounter {
  const { client, key = DEFAULT_KEY, prefix, home, upgradeFormat = false } = options ?? {}
  const { clock = systemClock, delay = timer } = options
  if (typeof client?.send !== 'function') throw new InvalidArgumentError('client must be an S3Client')
  if (typeof upgradeFormat !== 'boolean') throw new InvalidArgumentError('upgradeFormat is true or false')
  const bucket = checkText('bucket', options.bucket, 255)
  const path = prefix === undefined ? key : `${checkText('prefix', prefix, 500).replace(/\/$/, '')}/${key}`
  const store = new S3Store({
    client,
    sdk,
    bucket,
    requestTimeoutMs: checkInteger('requestTimeoutMs', options.requestTimeoutMs ?? 2_000, 1, 2 ** 31 - 1),
    maxConcurrency: checkInteger('maxConcurrency', options.maxConcurrency ?? 8, 1, 1_000),
    clock,
    delay,
  })
  const own = home === undefined ? null : checkText('home', home, 1_000)
  return new S3Counter({
    store,
    key: checkText('key', key, 500) && path,
    home: async () => own ?? homeOf(client.config, bucket),
    spelling: new EtagSpelling(),
    upgradeFormat,
    name: `${bucket}/${path}`,
  })
}
