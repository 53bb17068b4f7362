import { Readable } from 'node:stream'
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import type { StoreEnd, StoreRequest } from './counter-store.ts'

/** Takes a request to a store, and waits for what becomes of it. */
export type Carrier = (request: StoreRequest) => Promise<StoreEnd>

interface SdkRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** The bucket that every client of these tests uses. */
export const BUCKET = 'counters'

/** What the real SDK needs to talk to a store that is not AWS; what is said here it does not look for in files. */
export const clientConfig: S3ClientConfig = {
  region: 'us-east-1',
  useFipsEndpoint: false,
  useDualstackEndpoint: false,
  useArnRegion: false,
  disableMultiregionAccessPoints: true,
  disableS3ExpressSessionAuth: true,
  requestChecksumCalculation: 'WHEN_SUPPORTED',
  responseChecksumValidation: 'WHEN_SUPPORTED',
  retryMode: 'standard',
  maxAttempts: 3,
  userAgentAppId: 'shard',
  forcePathStyle: true,
  credentials: { accessKeyId: 'shard', secretAccessKey: 'shard-secret' },
}

/** The real SDK with its retries and checksums on, over a carrier in place of sockets. It signs nothing. */
export function carriedClient(carry: Carrier): S3Client {
  const handle = async (request: SdkRequest, options: { abortSignal?: AbortSignal } = {}) => {
    const { method, headers, body } = request
    const key = request.path.slice(`/${BUCKET}/`.length)
    const end = await orAborted(
      carry({ method, key, headers, body: String(body ?? '') }),
      options.abortSignal,
    )
    if (typeof end === 'string') throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
    return { response: { statusCode: end.status, headers: { ...end.headers }, body: streamOf(end.body) } }
  }
  return new S3Client({
    ...clientConfig,
    endpoint: 'http://store.test',
    requestHandler: { handle } as never,
    // Always the same; the SDK's own rules take longer than the rest of a request.
    endpointProvider: (() => ({ url: new URL(`http://store.test/${BUCKET}`) })) as never,
    signer: { sign: async (request: unknown) => request } as never,
  })
}

function streamOf(body: string): Readable {
  return Readable.from(body === '' ? [] : [Buffer.from(body)])
}

/** Silence lasts until the request is given up. */
function orAborted(end: Promise<StoreEnd>, signal: AbortSignal | undefined): Promise<StoreEnd> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(Object.assign(new Error('aborted'), { name: 'AbortError' }))
    signal?.addEventListener('abort', abort, { once: true })
    end.then((value) => {
      if (value === 'silence') return
      signal?.removeEventListener('abort', abort)
      resolve(value)
    }, reject)
  })
}
