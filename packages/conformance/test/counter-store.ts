/** A request as a store sees it. */
export interface StoreRequest {
  readonly method: string
  readonly key: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
}

/** What goes back. */
export interface StoreReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** How a request ends: with a reply, with a broken connection, or never. */
export type StoreEnd = StoreReply | 'broken' | 'silence'

interface StoredObject {
  readonly etag: string
  readonly body: string
}

/** What can go wrong with one request. Faults that do not fit a request leave it as it is. */
export const storeFaults = [
  'apply-then-drop',
  'drop-before-apply',
  'delayed-apply',
  '409-conditional',
  '409-aborted',
  '409-other',
  '412',
  '412-empty',
  '412-applied',
  '404-if-match',
  '403',
  'no-such-bucket',
  '429',
  '500',
  '500-applied',
  '503',
  '503-applied',
  '503-retry-after',
  '200-error',
  '200-error-applied',
  'no-etag',
  'weak-etag',
  'unquoted-etag',
  'empty-body',
  'huge-body',
  'corrupt-body',
  'cut-body',
  'silence',
  'silence-applied',
  'checksum-refused',
  'old-copy',
  'replaced',
  'deleted',
] as const
export type StoreFault = (typeof storeFaults)[number]

/** How a store compares the ETag of `If-Match`: as it gives it, without its quotes (Ceph 16), or either way. */
export type EtagComparison = 'quoted' | 'bare' | 'either'

const HUGE = 'x'.repeat(1_000_000)

/** A store with atomic conditional PUTs, one request after the other, that does wrong on demand and never else. */
export class ScriptedStore {
  readonly objects: Map<string, StoredObject> = new Map()
  readonly #comparison: EtagComparison
  readonly #first = new Map<string, string>()
  /** The highest value of all counters that were ever kept. */
  highest: bigint = 0n
  #writes = 0
  /** Requests to do later, as if they had been long on their way. */
  readonly late: (() => void)[] = []

  constructor(comparison: EtagComparison = 'either') {
    this.#comparison = comparison
  }

  handle(request: StoreRequest, fault: StoreFault | null): StoreEnd {
    if (fault === null) return this.#obey(request)
    if (isAccident(fault)) accidents[fault](this, request.key)
    const refusal = refusals[fault]
    if (refusal && !(fault === '404-if-match' && !request.headers['if-match'])) return refusal
    const isWrite = request.method !== 'GET'
    return (isWrite ? this.#write(request, fault) : this.#read(request, fault)) ?? this.#obey(request)
  }

  put(key: string, body: string): StoredObject {
    const object = { etag: `"e-${++this.#writes}"`, body }
    const value = BigInt(/"value":"(\d+)"/.exec(body)?.[1] ?? 0)
    if (value > this.highest) this.highest = value
    this.objects.set(key, object)
    if (!this.#first.has(key)) this.#first.set(key, body)
    return object
  }

  /** What was first written under a key. */
  firstOf(key: string): string | null {
    return this.#first.get(key) ?? null
  }

  #write(request: StoreRequest, fault: StoreFault): StoreEnd | null {
    if (fault === 'drop-before-apply') return 'broken'
    if (fault === 'silence') return 'silence'
    if (fault === 'delayed-apply') {
      this.late.push(() => void this.#obey(request))
      return 'broken'
    }
    if (fault === '200-error') return reply(200, { etag: '"e-0"' }, errorBody('InternalError'))
    const sumName = Object.keys(request.headers).find((name) => name.startsWith('x-amz-checksum'))
    if (fault === 'checksum-refused') return sumName ? reply(400, {}, errorBody('NotImplemented')) : null
    const end = applied[fault]
    if (!end) return null
    const done = this.#obey(request)
    return end(done)
  }

  #read(request: StoreRequest, fault: StoreFault): StoreEnd | null {
    if (fault === 'drop-before-apply' || fault === 'apply-then-drop' || fault === 'delayed-apply')
      return 'broken'
    if (fault.startsWith('silence')) return 'silence'
    if (fault === 'checksum-refused' && request.headers['x-amz-checksum-mode'])
      return reply(400, {}, errorBody('NotImplemented'))
    const done = this.#obey(request)
    if (done.status !== 200) return done
    if (fault === 'empty-body') return { ...done, body: '' }
    if (fault === 'huge-body') return { ...done, body: HUGE }
    if (fault === 'corrupt-body') return { ...done, body: done.body.replace(/\d/, '') }
    if (fault === 'cut-body') return { ...done, body: done.body.slice(0, 10) }
    return etagFaults[fault]?.(done) ?? done
  }

  #obey({ method, key, headers, body }: StoreRequest): StoreReply {
    const object = this.objects.get(key)
    if (method === 'GET')
      return object ? reply(200, { etag: object.etag }, object.body) : reply(404, {}, errorBody('NoSuchKey'))
    if (method === 'DELETE') {
      this.objects.delete(key)
      return reply(204)
    }
    const match = headers['if-match']
    if (headers['if-none-match'] === '*' && object) return reply(412, {}, errorBody('PreconditionFailed'))
    if (match !== undefined && !object) return reply(404, {}, errorBody('NoSuchKey'))
    if (match !== undefined && object && !this.#matches(match, object.etag))
      return reply(412, {}, errorBody('PreconditionFailed'))
    return reply(200, { etag: this.put(key, body).etag })
  }

  #matches(given: string, etag: string): boolean {
    if (this.#comparison === 'quoted') return given === etag
    if (this.#comparison === 'bare') return given === bareOf(etag)
    return bareOf(given) === bareOf(etag)
  }
}

type Accident = 'old-copy' | 'replaced' | 'deleted'

/** Does a fault leave behind an object that only a person can mend? */
export function isAccident(fault: StoreFault): fault is Accident {
  return Object.hasOwn(accidents, fault)
}

/** What befalls an object between two requests. */
const accidents: Readonly<Record<Accident, (store: ScriptedStore, key: string) => void>> = {
  'old-copy': (store, key) => {
    const first = store.firstOf(key)
    if (first !== null && store.objects.has(key)) store.put(key, first)
  },
  replaced: (store, key) => {
    const body = { format: 1, value: '0', generation: 'another', home: null, nonce: 'another' }
    if (store.objects.has(key)) store.put(key, JSON.stringify(body))
  },
  deleted: (store, key) => void store.objects.delete(key),
}

/** Replies to requests that were not carried out. */
const refusals: Readonly<Partial<Record<StoreFault, StoreReply>>> = {
  '409-conditional': reply(409, {}, errorBody('ConditionalRequestConflict')),
  '409-aborted': reply(409, {}, errorBody('OperationAborted')),
  '409-other': reply(409, {}, errorBody('InvalidBucketState')),
  '412': reply(412, {}, errorBody('PreconditionFailed')),
  '412-empty': reply(412),
  '404-if-match': reply(404, {}, errorBody('NoSuchKey')),
  '403': reply(403, {}, errorBody('AccessDenied')),
  'no-such-bucket': reply(404, {}, errorBody('NoSuchBucket')),
  '429': reply(429, { 'retry-after': '2' }, errorBody('TooManyRequests')),
  '500': reply(500, {}, errorBody('InternalError')),
  '503': reply(503, {}, errorBody('SlowDown')),
  '503-retry-after': reply(503, { 'retry-after': '1' }, errorBody('SlowDown')),
}

const etagFaults: Readonly<Partial<Record<StoreFault, (done: StoreReply) => StoreReply>>> = {
  'no-etag': (done) => ({ ...done, headers: {} }),
  'weak-etag': (done) => ({ ...done, headers: { etag: `W/${done.headers.etag}` } }),
  'unquoted-etag': (done) => ({ ...done, headers: { etag: bareOf(done.headers.etag ?? '') } }),
}

/** What goes back after a write that was carried out (or refused, as the store is). */
const applied: Readonly<Partial<Record<StoreFault, (done: StoreReply) => StoreEnd>>> = {
  'apply-then-drop': () => 'broken',
  'silence-applied': () => 'silence',
  '412-applied': () => reply(412, {}, errorBody('PreconditionFailed')),
  '500-applied': () => reply(500, {}, errorBody('InternalError')),
  '503-applied': () => reply(503, {}, errorBody('SlowDown')),
  '200-error-applied': () => reply(200, { etag: '"e-0"' }, errorBody('InternalError')),
  ...Object.fromEntries(
    Object.entries(etagFaults).map(([name, turn]) => [
      name,
      (done: StoreReply) => (done.status === 200 ? turn(done) : done),
    ]),
  ),
}

function reply(status: number, headers: Readonly<Record<string, string>> = {}, body = ''): StoreReply {
  return { status, headers, body }
}

function errorBody(code: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>no</Message></Error>`
}

function bareOf(etag: string): string {
  return etag.replace(/^"(.*)"$/, '$1')
}
