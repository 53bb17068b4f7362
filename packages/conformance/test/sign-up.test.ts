import assert from 'node:assert/strict'
import { type Executor, type Id, isShardError } from '@shard/core'
import { removeKey, type SignUpOptions, type SignUpStep, signUp } from '@shard/directory'
import { beforeEach, describe, test } from 'vitest'
import type { Fault, FaultPlan } from '../src/faults.ts'
import { accountsOf, deleteAccount, insertAccount, placing } from './account-fleet.ts'
import { directoryOn } from './directory-hosts.ts'
import { memoryFleet, type View } from './memory-fleet.ts'

const KEY = 'ann@example.com'
const TTL_MS = 10_000

let fleet: (view?: View) => Executor
let process = 0

beforeEach(async () => {
  fleet = await memoryFleet()
})

type Changes = Partial<Omit<SignUpOptions, 'executor' | 'directory'>>

/** Signs up as a process of its own. */
function signingUp(executor: Executor, changes: Changes = {}): Promise<Id> {
  const options = {
    key: KEY,
    insert: insertAccount(changes.key ?? KEY),
    ttlMs: TTL_MS,
    placer: placing(++process),
  }
  return signUp({ ...options, ...changes, executor, directory: directoryOn(executor) })
}

/** The one account and the one entry that there are, which must agree. */
async function onlyAccount(): Promise<Id> {
  const [accounts, entries] = [await accountsOf(fleet()), await directoryOn(fleet()).list()]
  assert.deepEqual(
    entries.map(({ key, id, state }) => [key, id, state]),
    accounts.map(({ key, id }) => [key, id, 'confirmed']),
  )
  assert.equal(accounts.length, 1)
  return accounts[0]?.id ?? assert.fail()
}

/** The call of this number meets a fault. */
function faultAt(place: number, fault: Fault): { plan: FaultPlan; met: () => boolean } {
  let calls = 0
  return { plan: () => (calls++ === place ? fault : 'none'), met: () => calls > place }
}

const faults: readonly Fault[] = ['drop-request', 'drop-reply', 'kill']

test('a sign-up makes the account and its key; the next one returns the same id', async () => {
  const steps: SignUpStep[] = []
  const id = await signingUp(fleet(), { onStep: (step) => steps.push(step) })
  assert.deepEqual(steps, [
    'resolved',
    'placed',
    'claimed',
    'inserting',
    'inserted',
    'committed',
    'confirmed',
  ])
  assert.equal(await onlyAccount(), id)
  assert.equal(await signingUp(fleet(), { key: ' ANN@example.com' }), id)
  assert.equal(await onlyAccount(), id)
})

describe('after any single fault the next one makes one account, and whoever got an id got that one', () => {
  test.each(faults)('%s', async (fault) => {
    for (let place = 0, isMet = true; isMet; place++) {
      fleet = await memoryFleet()
      const { plan, met } = faultAt(place, fault)
      const told = await signingUp(fleet({ plan })).catch((error: unknown) => {
        assert.ok(isShardError(error, 'CONNECTION_LOST') || isShardError(error, 'BUSY'), String(error))
        return null
      })
      isMet = met()
      assert.ok(isMet || place > 8)
      const id = await signingUp(fleet({ aheadMs: TTL_MS * 2 }))
      assert.equal(await onlyAccount(), id)
      if (told !== null) assert.equal(told, id)
    }
  })
})

describe('after any single fault a removal that is repeated leaves nothing, and the key is free', () => {
  test.each(faults)('%s', async (fault) => {
    for (let place = 0, isMet = true; isMet; place++) {
      fleet = await memoryFleet()
      const old = await signingUp(fleet())
      const { plan, met } = faultAt(place, fault)
      const remove = (executor: Executor): Promise<boolean> =>
        removeKey({ executor, directory: directoryOn(executor), key: KEY, remove: deleteAccount })
      const first = await remove(fleet({ plan })).catch(() => null)
      isMet = met()
      assert.equal(first === true, !isMet)
      await remove(fleet())
      assert.deepEqual([await accountsOf(fleet()), await directoryOn(fleet()).list()], [[], []])
      const id = await signingUp(fleet())
      assert.notEqual(id, old)
      assert.equal(await onlyAccount(), id)
    }
  })
})

test('a rival is told to wait no longer than the claim may take', async () => {
  let told: unknown
  await signingUp(fleet(), {
    onStep: async (step) => {
      if (step === 'claimed') told = await signingUp(fleet()).catch((error: unknown) => error)
    },
  })
  assert.ok(isShardError(told, 'CLAIM_PENDING') && told.retryable && told.outcome === 'not-applied')
  const { retryInMs } = told as unknown as { retryInMs: number }
  assert.ok(retryInMs > 0 && retryInMs <= TTL_MS)
  await onlyAccount()
})

test('one that stands still until its claim is taken over inserts nothing and returns the id of the other', async () => {
  let rival: Id | undefined
  const inserted: Id[] = []
  const id = await signingUp(fleet(), {
    insert: async (_, own) => void inserted.push(own),
    onStep: async (step) => {
      if (step === 'claimed') rival = await signingUp(fleet({ aheadMs: TTL_MS * 2 }))
    },
  })
  assert.equal(id, rival)
  assert.deepEqual(inserted, [])
  assert.equal(await onlyAccount(), id)
})

test('one that stands still after its account is committed is confirmed by the other', async () => {
  for (const aheadMs of [0, TTL_MS * 2]) {
    fleet = await memoryFleet()
    let rival: Id | undefined
    const id = await signingUp(fleet(), {
      onStep: async (step) => {
        if (step === 'committed') rival = await signingUp(fleet({ aheadMs }))
      },
    })
    assert.equal(id, rival)
    assert.equal(await onlyAccount(), id)
  }
})

test('what insert throws is thrown, and the key is free again', async () => {
  const refusal = new Error('too young')
  await assert.rejects(signingUp(fleet(), { insert: () => Promise.reject(refusal) }), refusal)
  assert.deepEqual([await accountsOf(fleet()), await directoryOn(fleet()).list()], [[], []])
  const id = await signingUp(fleet())
  assert.equal(await onlyAccount(), id)
})

test('a removal that comes late does not touch a newer account of the key', async () => {
  const old = await signingUp(fleet())
  const executor = fleet()
  const late = await removeKey({
    executor,
    directory: directoryOn(executor),
    key: KEY,
    remove: deleteAccount,
    onStep: async (step) => {
      if (step !== 'found') return
      await removeKey({ executor: fleet(), directory: directoryOn(fleet()), key: KEY, remove: deleteAccount })
      assert.notEqual(await signingUp(fleet()), old)
    },
  })
  assert.equal(late, false)
  await onlyAccount()
})

test('a key that somebody signs up with is not removed under them', async () => {
  let told: unknown
  const executor = fleet()
  await signingUp(fleet(), {
    onStep: async (step) => {
      if (step === 'claimed')
        told = await removeKey({
          executor,
          directory: directoryOn(executor),
          key: KEY,
          remove: deleteAccount,
        }).catch((error: unknown) => error)
    },
  })
  assert.ok(isShardError(told, 'CLAIM_PENDING'))
  await onlyAccount()
})

test('bad arguments are refused before anything is asked', async () => {
  const dead = fleet({ plan: () => 'kill' })
  for (const changes of [{ ttlMs: 0 }, { ttlMs: Number.NaN }, { insert: null as never }])
    await assert.rejects(signingUp(dead, changes), { code: 'INVALID_ARGUMENT' })
  await assert.rejects(signingUp(dead, { key: '\u200B' }), { code: 'INVALID_KEY' })
  await assert.rejects(signingUp(fleet(), { signal: AbortSignal.abort() }), { code: 'ABORTED' })
})
