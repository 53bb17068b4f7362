import { BlockAllocator, inspect, memoryCounter, probe, repair } from '@shard/s3-alloc'
import { describe, expect, test } from 'vitest'
import { firstBody } from './block-schedules.ts'
import { KEY, rig } from './counter-rig.ts'

const went = (sign: string) => ({ code: 'COUNTER_WENT_BACK', sign, retryable: false })

describe('a counter that is not what it was', () => {
  test('an older copy is seen by whoever has seen more, and can be repaired while it runs', async () => {
    const own = rig()
    const allocator = own.allocator()
    await own.run(allocator.allocateMany(100))
    own.store.put(KEY, firstBody)
    await expect(own.run(allocator.allocate())).rejects.toMatchObject(went('value'))
    const { delay } = own.time
    const { before, after } = await own.run(repair(own.counter(), { atLeast: 1_000n, delay }))
    expect([before, after]).toMatchObject([{ value: 0n }, { value: 1_000n, generation: 'first' }])
    expect(await own.run(allocator.allocate())).toBe(1_001n)
  })

  test('one that was made anew has another generation', async () => {
    const own = rig()
    const allocator = own.allocator()
    await own.run(allocator.allocateMany(100))
    own.store.put(KEY, firstBody.replace('first', 'second').replace('"0"', '"900"'))
    await expect(own.run(allocator.allocate())).rejects.toMatchObject(went('generation'))
  })

  test('a process that has seen nothing goes by the generation it is told, and by the floor', async () => {
    const own = rig()
    const call = own.run(own.allocator({ generation: 'another' }).allocate())
    await expect(call).rejects.toMatchObject(went('generation'))
    for (const floor of [5n, async () => 5n])
      await expect(own.run(own.allocator({ floor }).allocate())).rejects.toMatchObject(went('floor'))
    expect(own.requests.filter(({ method }) => method === 'PUT')).toEqual([])
  })

  test('a floor that rises while the counter is read is no alarm', async () => {
    const own = rig()
    const other = own.allocator()
    const floor = async (): Promise<bigint> => (await other.allocateMany(50))[49] ?? 0n
    expect(await own.run(own.allocator({ floor, floorMaxAgeMs: 0 }).allocate())).toBe(101n)
  })

  test('a copy in another place is told by its home', async () => {
    const own = rig(firstBody.replace('null', '"there"'))
    await expect(own.run(own.allocator().allocate())).rejects.toMatchObject(went('home'))
    const { delay } = own.time
    await own.run(repair(own.counter(), { atLeast: 500n, home: 'here', delay }))
    expect(await own.run(own.allocator().allocate())).toBe(501n)
  })

  test('what cannot be read, or is missing, is found and repaired', async () => {
    for (const body of ['', 'not a number', '{"format":2}', null]) {
      const own = rig(body)
      const found = await own.run(inspect(own.counter()))
      expect(found.state).toBe(body === null ? 'missing' : 'corrupt')
      const { delay } = own.time
      await own.run(repair(own.counter(), { atLeast: 70n, delay }))
      expect(await own.run(own.allocator().allocate())).toBe(71n)
    }
  })
})

describe('the older format, a bare number', () => {
  test('is read, and kept', async () => {
    const own = rig('500')
    expect(await own.run(own.allocator().allocate())).toBe(501n)
    expect(own.store.objects.get(KEY)?.body).toBe('600')
  })

  test('is rewritten when asked for', async () => {
    const own = rig('500')
    const counter = own.counter({ upgradeFormat: true })
    expect(await own.run(own.allocator({ counter }).allocate())).toBe(501n)
    expect(JSON.parse(own.store.objects.get(KEY)?.body ?? '')).toMatchObject({ format: 1, value: '600' })
  })

  test('proves nothing: a lost reply costs a block, and a 412 is lost', async () => {
    for (const fault of ['apply-then-drop', '412-applied'] as const) {
      const own = rig('500')
      own.faults.push(null, fault)
      expect(await own.run(own.allocator().allocate())).toBe(601n)
      expect(own.store.objects.get(KEY)?.body).toBe('700')
    }
  })
})

describe('[C4] a probe', () => {
  test.each([
    ['ignores both conditions', ['if-match', 'if-none-match']],
    ['ignores If-Match', ['if-match']],
    ['ignores If-None-Match', ['if-none-match']],
  ])('refuses a store that %s, and leaves nothing behind', async (_, ignored) => {
    const own = rig(null)
    const forgetful = (request: Parameters<typeof own.store.handle>[0]) => {
      const kept = Object.entries(request.headers).filter(([name]) => !ignored.includes(name))
      return own.store.handle({ ...request, headers: Object.fromEntries(kept) }, null)
    }
    own.faults.push(...Array.from({ length: 200 }, () => forgetful))
    const call = own.run(probe(own.counter(), { delay: own.time.delay }))
    await expect(call).rejects.toMatchObject({ code: 'STORE_UNSAFE' })
    expect(own.store.objects.size).toBe(0)
  })

  test('of a sound store tells how it spells, and touches no counter', async () => {
    const own = rig(undefined, 'bare')
    const counter = own.counter()
    const report = await own.run(probe(counter, { delay: own.time.delay }))
    expect(report).toEqual({ winners: 1, createsMissing: false })
    expect([...own.store.objects.keys()]).toEqual([KEY])
    const before = own.requests.length
    await own.run(own.allocator({ counter }).allocate())
    expect(own.requests.length - before).toBe(2)
  })

  test('of a store that may not be written says so', async () => {
    const own = rig(null)
    own.faults.push(null, '403')
    const call = own.run(probe(own.counter(), { delay: own.time.delay }))
    await expect(call).rejects.toMatchObject({ code: 'STORE_REFUSED', status: 403 })
  })

  test('needs a counter that has a scratch', async () => {
    const { load, swap } = memoryCounter()
    await expect(probe({ load, swap })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
  })
})

test('a copy of a process that discards gives no id of the other, whatever was on its way', async () => {
  const own = rig()
  const allocator = own.allocator()
  const waiting = allocator.allocate()
  await own.run(own.time.delay(12))
  allocator.discard()
  expect(await own.run(waiting)).toBeGreaterThan(0n)
  const [next] = await own.run(allocator.allocateMany(1))
  expect(allocator.discard()).toBeGreaterThan(0)
  expect(await own.run(allocator.allocate())).toBeGreaterThan((next ?? 0n) + 97n)
})

test('initialize is made once, also when its reply is lost', async () => {
  const own = rig(null)
  own.faults.push('apply-then-drop')
  const allocator = own.allocator()
  expect(await own.run(allocator.initialize({ startAt: 7n }))).toMatchObject({ value: 6n, home: 'here' })
  await expect(own.run(allocator.initialize())).rejects.toMatchObject({ code: 'COUNTER_EXISTS' })
  expect(await own.run(allocator.allocate())).toBe(7n)
  const doubtful = rig(null)
  doubtful.faults.push('silence-applied', 'silence')
  await expect(doubtful.run(doubtful.allocator().initialize())).rejects.toMatchObject({ outcome: 'unknown' })
})

test('nothing is left behind: no timer, no listener', async () => {
  const own = rig()
  const { signal } = new AbortController()
  const counts = { added: 0, removed: 0 }
  for (const [name, count] of [
    ['addEventListener', 'added'],
    ['removeEventListener', 'removed'],
  ] as const) {
    const original = signal[name].bind(signal) as (...args: unknown[]) => void
    Object.assign(signal, {
      [name]: (...args: unknown[]) => {
        counts[count]++
        original(...args)
      },
    })
  }
  await own.run(own.allocator().allocate({ signal }))
  expect(own.time.pending).toBe(0)
  expect(counts.removed).toBeGreaterThanOrEqual(counts.added)
  expect(counts.added).toBeGreaterThan(0)
})

test('a hook that throws costs nobody an id', async () => {
  const own = rig()
  const told: string[] = []
  const telling = (name: string) => () => {
    told.push(name)
    throw new Error('a bad hook')
  }
  own.faults.push(null, '412-empty')
  const hooks = { onBlock: telling('block'), onRetry: telling('retry'), onWait: telling('wait') }
  expect(await own.run(own.allocator({ hooks }).allocate())).toBe(1n)
  expect(told).toEqual(['retry', 'block', 'wait'])
})

test('close refuses those who wait and those who come, and is quick', async () => {
  const own = rig()
  own.faults.push('silence')
  const allocator = own.allocator()
  const waiting = Promise.allSettled([allocator.allocate(), allocator.reserve(5)])
  await own.run(allocator.close())
  const refused = { status: 'rejected', reason: { code: 'CLOSED' } }
  expect(await waiting).toMatchObject([refused, refused])
  await expect(allocator.allocate()).rejects.toMatchObject({ code: 'CLOSED' })
  await allocator.close()
  expect(new BlockAllocator({ counter: own.counter() }).peek()).toBeNull()
})
