import { describe, expect, test } from 'vitest'
import { KEY, type Rig, rig } from './counter-rig.ts'
import type { StoreFault } from './counter-store.ts'

const puts = ({ requests }: Rig): number => requests.filter(({ method }) => method === 'PUT').length
const keptIn = ({ store }: Rig): string =>
  /"value":"(\d+)"/.exec(store.objects.get(KEY)?.body ?? '')?.[1] ?? ''

describe('[C1] a PUT of which nobody knows', () => {
  test.each<StoreFault>([
    'apply-then-drop',
    'silence-applied',
    '500-applied',
    '503-applied',
    '412-applied',
    '200-error-applied',
    'no-etag',
  ])('%s: is read back, is ours, and is sent once', async (fault) => {
    const own = rig()
    own.faults.push(null, fault)
    expect(await own.run(own.allocator().allocate())).toBe(1n)
    expect([puts(own), keptIn(own)]).toEqual([1, '100'])
  })

  test.each<StoreFault>(['drop-before-apply', '500', '503', '200-error', 'silence', '412', '412-empty'])(
    '%s: was not applied, and is tried again',
    async (fault) => {
      const own = rig()
      own.faults.push(null, fault)
      expect(await own.run(own.allocator().allocate())).toBe(1n)
      expect(keptIn(own)).toBe('100')
    },
  )

  test('one that arrives after its successor is refused', async () => {
    const own = rig()
    own.faults.push(null, 'delayed-apply')
    const allocator = own.allocator()
    const id = own.run(allocator.allocate())
    await own.run(own.time.delay(1_000))
    expect(await id).toBe(1n)
    for (const late of own.store.late) late()
    expect(keptIn(own)).toBe('100')
  })
})

test('[C2] two allocators of one process write alike, one reads the other’s number back: it is not its own', async () => {
  const own = rig()
  const counter = own.counter()
  const [a, b] = [own.allocator({ counter }), own.allocator({ counter })]
  // Both have read 0 when the first PUT arrives; both lose their replies.
  own.faults.push(null, null, 'apply-then-drop', 'apply-then-drop')
  const [first, second] = await own.run(Promise.all([a.allocate(), b.allocate()]))
  expect(first).not.toBe(second)
  expect([first, second].sort()).toEqual([1n, 101n])
})

describe('[C3] a counter that is gone', () => {
  test.each<[string, number]>([
    ['404', 404],
    ['412', 412],
  ])('between the read and the PUT, answered with %s: a typed error, and no new start', async (_, status) => {
    const own = rig()
    own.faults.push(null, () => {
      own.store.objects.delete(KEY)
      const code = status === 404 ? 'NoSuchKey' : 'PreconditionFailed'
      return { status, headers: {}, body: `<Error><Code>${code}</Code></Error>` }
    })
    await expect(own.run(own.allocator().allocate())).rejects.toMatchObject({ code: 'COUNTER_MISSING' })
    expect(own.store.objects.has(KEY)).toBe(false)
  })

  test('answered with 200: goes on from where it was', async () => {
    const own = rig()
    own.faults.push(null, ({ key, body }) => {
      own.store.objects.delete(key)
      return { status: 200, headers: { etag: own.store.put(key, body).etag }, body: '' }
    })
    expect(await own.run(own.allocator().allocateMany(150))).toHaveLength(150)
  })

  test('before the first read: nothing is made', async () => {
    const own = rig(null)
    await expect(own.run(own.allocator().allocate())).rejects.toMatchObject({ code: 'COUNTER_MISSING' })
    expect(puts(own)).toBe(0)
  })

  test('with its bucket: the store refuses', async () => {
    const own = rig()
    own.faults.push('no-such-bucket')
    const call = own.run(own.allocator().allocate())
    await expect(call).rejects.toMatchObject({ code: 'STORE_REFUSED', status: 404, reason: 'NoSuchBucket' })
  })
})

describe('[C5] refusals', () => {
  test.each<[StoreFault, string | null]>([
    ['409-conditional', null],
    ['409-aborted', null],
    ['409-other', 'STORE_REFUSED'],
    ['412-empty', null],
    ['404-if-match', null],
    ['403', 'STORE_REFUSED'],
    ['429', null],
    ['503-retry-after', null],
  ])('%s', async (fault, code) => {
    const own = rig()
    own.faults.push(null, fault)
    const call = own.run(own.allocator().allocate())
    if (code === null) expect(await call).toBe(1n)
    else await expect(call).rejects.toMatchObject({ code, retryable: false })
  })

  test('Retry-After is waited for, by the next call too, and is an error where it is too long', async () => {
    const own = rig()
    own.faults.push(null, '429')
    await own.run(own.allocator().allocate())
    expect(own.time.monotonicMs()).toBeGreaterThan(2_000)
    const busy = rig()
    const allocator = busy.allocator({ timeoutMs: 1_500 })
    busy.faults.push('429')
    for (let call = 0; call < 2; call++)
      await expect(busy.run(allocator.allocate())).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' })
    expect(busy.requests).toHaveLength(1)
    await busy.run(busy.time.delay(2_000))
    expect(await busy.run(allocator.allocate())).toBe(1n)
  })
})

test('[C6] no checksum goes out, though the client would send one', async () => {
  const own = rig()
  own.faults.push('checksum-refused', 'checksum-refused')
  expect(await own.run(own.allocator().allocate())).toBe(1n)
  const names = own.requests.flatMap(({ headers }) => Object.keys(headers))
  expect(names.filter((name) => /checksum|trailer|content-encoding/i.test(name))).toEqual([])
})

describe('[C9] ETags', () => {
  test.each(['"abc"', 'abc', '"d-2"'])('%s is echoed as it is', async (etag) => {
    const own = rig()
    own.faults.push((request) => {
      const { body } = own.store.objects.get(request.key) ?? { body: '' }
      return { status: 200, headers: { etag }, body }
    })
    await own.run(own.allocator().allocate())
    expect(own.requests[1]?.headers['if-match']).toBe(etag)
  })

  test.each<StoreFault>(['weak-etag', 'no-etag'])(
    '%s of an object that is there is an error',
    async (fault) => {
      const own = rig()
      own.faults.push(fault)
      await expect(own.run(own.allocator().allocate())).rejects.toMatchObject({ code: 'STORE_UNSAFE' })
      expect(puts(own)).toBe(0)
    },
  )

  test('a store that compares without quotes is understood after one refusal', async () => {
    const own = rig(undefined, 'bare')
    expect(await own.run(own.allocator().allocateMany(300))).toHaveLength(300)
    expect(puts(own)).toBe(2)
  })
})

describe('[C12] a store that never answers', () => {
  test('every call ends in its time, and the next one works', async () => {
    const own = rig()
    own.faults.push(...Array.from({ length: 4 }, () => 'silence' as const))
    const allocator = own.allocator({ timeoutMs: 5_000 })
    await expect(own.run(allocator.allocate())).rejects.toMatchObject({ code: 'TIMEOUT', retryable: true })
    expect(own.time.monotonicMs()).toBe(5_000)
    own.faults.length = 0
    expect(await own.run(allocator.allocate())).toBe(1n)
    await own.run(allocator.close())
  })
})

test.each<StoreFault>(['empty-body', 'huge-body', 'corrupt-body', 'cut-body'])(
  '%s is an error, and never a number',
  async (fault) => {
    const own = rig(undefined, 'quoted')
    own.faults.push(fault)
    const allocator = own.allocator()
    await expect(own.run(allocator.allocate())).rejects.toMatchObject({ code: 'COUNTER_CORRUPT' })
    expect([puts(own), keptIn(own)]).toEqual([0, '0'])
    expect(await own.run(allocator.allocate())).toBe(1n)
  },
)

test('one of 100 callers that wait gives up: only that one is refused', async () => {
  const own = rig()
  const allocator = own.allocator({ blockSize: 10 })
  const stop = new AbortController()
  const calls = Array.from({ length: 100 }, (_, i) =>
    allocator.allocate(i === 41 ? { signal: stop.signal } : {}),
  )
  void own.time.delay(7).then(() => stop.abort())
  const ends = await own.run(Promise.allSettled(calls))
  expect(ends.flatMap((end, i) => (end.status === 'rejected' ? [[i, end.reason.code]] : []))).toEqual([
    [41, 'ABORTED'],
  ])
  const ids = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []))
  expect(ids).toEqual(ids.map((_, i) => BigInt(i + 1)))
})
