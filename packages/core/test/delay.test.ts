import { getEventListeners } from 'node:events'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { delay } from '../src/delay.ts'
import { hostile } from './hostile.ts'
import { rejection } from './refusal.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

test('resolves when the time is over, not before, and leaves no listener', async () => {
  const { signal } = new AbortController()
  let over = false
  const waiting = delay(1_000, signal).then(() => {
    over = true
  })
  await vi.advanceTimersByTimeAsync(999)
  expect(over).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await waiting
  expect(over).toBe(true)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
})

test('an abort ends it at once and clears the timer', async () => {
  const controller = new AbortController()
  const waiting = rejection('ABORTED', delay(1_000, controller.signal))
  controller.abort('why')
  expect((await waiting).cause).toBe('why')
  expect(vi.getTimerCount()).toBe(0)
})

test('a signal that is aborted already starts no timer', async () => {
  await rejection('ABORTED', delay(1_000, AbortSignal.abort()))
  expect(vi.getTimerCount()).toBe(0)
})

test('what a timer would take for "at once" is refused', async () => {
  for (const ms of hostile.filter((value) => value !== 1.5))
    await rejection('INVALID_ARGUMENT', delay(ms as number))
  await rejection('INVALID_ARGUMENT', delay(2 ** 31))
  expect(vi.getTimerCount()).toBe(0)
})
