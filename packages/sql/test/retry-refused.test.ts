import {
  BusyError,
  ConnectionLostError,
  DeadlockError,
  delay,
  QueryFailedError,
  SerializationFailureError,
} from '@shard/core'
import { expect, test } from 'vitest'
import { retryRefused } from '../src/retry-refused.ts'

const cause = new Error('refused')

/** A change that fails with each of these in turn, and then gives its number of attempts. */
function failingWith(...errors: Error[]): () => Promise<number> {
  let attempts = 0
  return async () => {
    attempts += 1
    const error = errors.shift()
    if (error) throw error
    return attempts
  }
}

function recorded(attempts?: number) {
  const waits: number[] = []
  const options = { attempts, random: () => 0.5, delay: async (ms: number) => void waits.push(ms) }
  return { waits, options }
}

test('a change is made again after a deadlock or a serialization failure', async () => {
  const { waits, options } = recorded()
  const change = failingWith(new DeadlockError(cause), new SerializationFailureError(cause))
  expect(await retryRefused(change, options)).toBe(3)
  expect(waits).toEqual([4, 8])
})

test('it is made ten times at most, with waits that stop growing', async () => {
  const { waits, options } = recorded()
  const errors = Array.from({ length: 11 }, () => new DeadlockError(cause))
  await expect(retryRefused(failingWith(...errors), options)).rejects.toBe(errors[9])
  expect(waits).toEqual([4, 8, 16, 32, 64, 125, 125, 125, 125])
})

test.each([
  new BusyError(cause),
  new ConnectionLostError(cause, 'unknown'),
  new QueryFailedError(cause),
  cause,
])('other failures are not made again: %s', async (error) => {
  const { waits, options } = recorded()
  await expect(retryRefused(failingWith(error), options)).rejects.toBe(error)
  expect(waits).toEqual([])
})

test('another failure after a refusal is what is thrown', async () => {
  const lost = new ConnectionLostError(cause, 'unknown')
  const change = failingWith(new DeadlockError(cause), lost)
  await expect(retryRefused(change, recorded().options)).rejects.toBe(lost)
})

test('inside a transaction that the refusal has ended, the refusal is thrown', async () => {
  const { waits, options } = recorded()
  const refusal = new DeadlockError(cause)
  await expect(retryRefused(failingWith(refusal, refusal), options)).rejects.toBe(refusal)
  await expect(retryRefused(failingWith(refusal, new QueryFailedError(cause)), options)).rejects.toBe(refusal)
  expect(waits).toEqual([4, 4])
})

test('the signal ends a wait', async () => {
  const abort = new AbortController()
  const waiting = (ms: number, signal?: AbortSignal): Promise<void> => {
    abort.abort()
    return delay(ms, signal)
  }
  const call = retryRefused(failingWith(new DeadlockError(cause)), { delay: waiting }, abort.signal)
  await expect(call).rejects.toMatchObject({ code: 'ABORTED', outcome: 'not-applied' })
})
