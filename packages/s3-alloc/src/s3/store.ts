import { AbortedError, type Clock, checkSignal, type Delay, isShardError, type Outcome } from '@shard/core'
import type { CounterCall } from '../counter.ts'
import { within } from '../deadline.ts'
import { retryAfterMs } from '../retry-after.ts'
import { AttemptSlots } from './attempt-slots.ts'
import { inOneAttempt, type SdkCommand } from './one-attempt.ts'
import { type BodyText, readBody } from './read-body.ts'

/** What is used of an `S3Client`. */
export interface S3ClientLike {
  send(command: never, options?: { abortSignal?: AbortSignal }): Promise<unknown>
  readonly middlewareStack?: { identify(): readonly string[] } | undefined
  readonly config?: unknown
}

/** What a store answered to one request. */
export interface S3Answer {
  /** 0 if no answer came, or not all of it. */
  readonly status: number
  /** The store's own code for an error, such as `NoSuchKey`; empty if there is none. */
  readonly code: string
  readonly etag: string | null
  readonly retryInMs: number | null
  readonly body: BodyText
  readonly cause: unknown
}

/** `If-None-Match: *` or `If-Match` with an ETag. */
export type Precondition = { readonly IfNoneMatch: '*' } | { readonly IfMatch: string }

/** How a store is called. */
export interface S3StoreSettings {
  readonly client: S3ClientLike
  readonly sdk: () => Promise<Sdk>
  readonly bucket: string
  readonly requestTimeoutMs: number
  readonly maxConcurrency: number
  readonly clock: Clock
  readonly delay: Delay
}

/** What is used of `@aws-sdk/client-s3`. */
export type Sdk = Pick<
  typeof import('@aws-sdk/client-s3'),
  'DeleteObjectCommand' | 'GetObjectCommand' | 'PutObjectCommand'
>

/** One request each, never resent, answered within a time: what became of it is an answer, not an error. */
export class S3Store {
  readonly #settings: S3StoreSettings
  readonly #slots: AttemptSlots
  readonly #hasRetries: boolean
  #sdk: Sdk | null = null

  constructor(settings: S3StoreSettings) {
    this.#settings = settings
    this.#slots = new AttemptSlots(settings.maxConcurrency, settings.delay)
    const middleware = settings.client.middlewareStack?.identify() ?? []
    this.#hasRetries = middleware.some((name) => name.startsWith('retryMiddleware'))
  }

  get(key: string, call: CounterCall): Promise<S3Answer> {
    return this.#request('get', call, (sdk, Bucket) => new sdk.GetObjectCommand({ Bucket, Key: key }))
  }

  put(key: string, body: string, condition: Precondition, call: CounterCall): Promise<S3Answer> {
    return this.#request('put', call, (sdk, Bucket) => {
      const ContentType = body.startsWith('{') ? 'application/json' : 'text/plain'
      return new sdk.PutObjectCommand({ Bucket, Key: key, Body: body, ContentType, ...condition })
    })
  }

  delete(key: string, call: CounterCall): Promise<S3Answer> {
    return this.#request('delete', call, (sdk, Bucket) => new sdk.DeleteObjectCommand({ Bucket, Key: key }))
  }

  async #request(
    kind: 'get' | 'put' | 'delete',
    { signal }: CounterCall,
    make: (sdk: Sdk, bucket: string) => unknown,
  ): Promise<S3Answer> {
    const { requestTimeoutMs: ms, delay, bucket } = this.#settings
    checkSignal(signal)
    this.#sdk ??= await this.#settings.sdk()
    const command = make(this.#sdk, bucket) as SdkCommand
    const outcome: Outcome = kind === 'get' ? 'not-applied' : 'unknown'
    const cause = (): unknown => new Error(`the store did not answer within ${ms} ms`)
    try {
      return await within({ ms, delay, signal, outcome, cause }, (inner) =>
        this.#slots.run(() => this.#exchange(command, kind, inner), inner),
      )
    } catch (error) {
      if (isShardError(error, 'TIMEOUT')) return noAnswer(error)
      throw error
    }
  }

  async #exchange(command: SdkCommand, kind: string, signal: AbortSignal): Promise<S3Answer> {
    const answer = inOneAttempt(command, this.#hasRetries, kind === 'put')
    let code = ''
    let cause: unknown = null
    let body: BodyText = { text: '' }
    try {
      const output = await this.#settings.client.send(command as never, { abortSignal: signal })
      body = kind === 'get' ? await readBody((output as { Body?: unknown }).Body) : (answer.body ?? body)
    } catch (error) {
      if (signal.aborted) throw new AbortedError(signal.reason, 'unknown')
      // An answer that began well and was cut is none.
      if (answer.status < 300) return noAnswer(error)
      cause = error
      code = String((error as { Code?: unknown } | null)?.Code ?? '')
    }
    const retryInMs = retryAfterMs(answer.headers['retry-after'], this.#settings.clock.now())
    return { status: answer.status, code, etag: answer.headers.etag ?? null, retryInMs, body, cause }
  }
}

function noAnswer(cause: unknown): S3Answer {
  return { status: 0, code: '', etag: null, retryInMs: null, body: { text: '' }, cause }
}
