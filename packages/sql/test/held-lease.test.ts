import type { Clock } from '@shard/core'
import { describe, expect, test } from 'vitest'
import { HeldLease } from '../src/held-lease.ts'
import type { Lease } from '../src/lease.ts'
import type { LeaseStore } from '../src/lease-store.ts'
import { leasesOver } from '../src/leases-over.ts'

const MINUTE = 60_000
const ann = { owner: 'ann', ttlMs: MINUTE }

/** A store that always agrees, time that stands still, and delays that end when time has passed. */
function surroundings() {
  let nowMs = 1_000
  const waiting = new Set<{ readonly untilMs: number; readonly end: () => void }>()
  const calls: string[] = []
  const replies = { extend: true, tookMs: 0 }
  const clock: Clock = { now: () => 0, monotonicMs: () => nowMs }
  const pass = (ms: number): void => {
    nowMs += ms
    for (const wait of waiting) if (wait.untilMs <= nowMs) wait.end()
  }
  const answer = async <T>(call: string, value: T): Promise<T> => {
    calls.push(call)
    pass(replies.tookMs)
    return value
  }
  const store: LeaseStore = {
    take: () => answer('take', { epoch: 7n, markMs: 0 }),
    extend: () => answer('extend', replies.extend),
    release: () => answer('release', true),
    read: () => answer('read', []),
    readFolder: () => answer('readFolder', { records: [], floorMarkMs: 0, readAtMs: 0 }),
  }
  const delay = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const wait = { untilMs: nowMs + ms, end: resolve }
      waiting.add(wait)
      signal?.addEventListener('abort', () => {
        waiting.delete(wait)
        reject(signal.reason)
      })
    })
  return { store, clock, delay, pass, calls, replies, waiting }
}

async function acquire(around: ReturnType<typeof surroundings>): Promise<Lease> {
  const lease = await leasesOver(around.store, { ...around, randomToken: () => 'token' }).acquire('a', ann)
  return lease ?? expect.fail()
}

const turn = (): Promise<void> => new Promise(setImmediate)

describe('the local deadline', () => {
  test('counts from before the request was sent', async () => {
    const around = surroundings()
    around.replies.tookMs = 400
    const lease = await acquire(around)
    expect(lease.expiresAtMonotonicMs).toBe(1_000 + MINUTE)
    around.pass(100)
    expect(await lease.extend()).toBe(true)
    expect(lease.expiresAtMonotonicMs).toBe(1_500 + MINUTE)
  })

  test('loses the lease by itself, to the millisecond, and for good', async () => {
    const around = surroundings()
    const lease = await acquire(around)
    around.pass(MINUTE - 1)
    await turn()
    expect([lease.isHeld, lease.lost.aborted]).toEqual([true, false])
    around.pass(1)
    await turn()
    expect(lease.lost.aborted).toBe(true)
    around.calls.length = 0
    expect([await lease.extend(), lease.isHeld]).toEqual([false, false])
    expect(around.calls).toEqual([])
  })

  test('holds for whoever asks, also before the timer has fired', async () => {
    const around = surroundings()
    const lease = new HeldLease(
      { ...around, delay: () => new Promise(() => {}) },
      { name: 'a', token: 'token', reserve: undefined, ...ann },
      { epoch: 1n, markMs: 0 },
      1_000,
    )
    around.pass(MINUTE)
    expect([lease.isHeld, lease.lost.aborted]).toEqual([false, true])
  })

  test('moves with an extension', async () => {
    const around = surroundings()
    const lease = await acquire(around)
    around.pass(MINUTE / 2)
    await lease.extend()
    around.pass(MINUTE - 1)
    await turn()
    expect(lease.isHeld).toBe(true)
    around.pass(1)
    await turn()
    expect(lease.lost.aborted).toBe(true)
  })
})

test('an answer that took longer than the lease lasts is no lease, and is given back', async () => {
  const around = surroundings()
  around.replies.tookMs = MINUTE
  const lease = await leasesOver(around.store, around).acquire('a', ann)
  expect(lease).toBeNull()
  expect(around.calls).toEqual(['take', 'release'])
})

test('an extension that is answered after the deadline comes too late', async () => {
  const around = surroundings()
  const lease = await acquire(around)
  around.replies.tookMs = MINUTE
  expect([await lease.extend(), lease.lost.aborted]).toEqual([false, true])
})

test('a refused extension and a release lose it at once, and leave no timer', async () => {
  for (const lose of [
    async (lease: Lease) => expect(await lease.extend()).toBe(false),
    (lease: Lease) => lease.release(),
    (lease: Lease) => lease.close(),
    (lease: Lease) => lease[Symbol.asyncDispose](),
  ]) {
    const around = surroundings()
    around.replies.extend = false
    const lease = await acquire(around)
    await lose(lease)
    expect([lease.isHeld, lease.lost.aborted, around.waiting.size]).toEqual([false, true, 0])
  }
})

test('bad arguments are refused before any I/O', async () => {
  const around = surroundings()
  const leases = leasesOver(around.store, around)
  await expect(leases.acquire('', ann)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
  await expect(leases.acquire('a', { ...ann, ttlMs: 0 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
  await expect(leases.read('a\0')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
  expect(around.calls).toEqual([])
})
