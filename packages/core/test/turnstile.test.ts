import { getEventListeners } from 'node:events'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Turnstile } from '../src/turnstile.ts'
import { rejection } from './refusal.ts'

test('one at a time, first come, first served, under any interleaving', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 8 }), async (scheduler, count) => {
      const turnstile = new Turnstile()
      const order: number[] = []
      let inside = 0
      const visits = Array.from({ length: count }, async (_, i) => {
        await turnstile.enter()
        expect(++inside).toBe(1)
        order.push(i)
        await scheduler.schedule(Promise.resolve())
        inside--
        turnstile.leave()
      })
      await scheduler.waitFor(Promise.all(visits))
      expect(order).toEqual(visits.map((_, i) => i))
    }),
  )
})

test('an aborted wait gives up its place and leaves no listener', async () => {
  const turnstile = new Turnstile()
  await turnstile.enter()
  const controller = new AbortController()
  const aborted = rejection('ABORTED', turnstile.enter(controller.signal))
  const third = turnstile.enter()
  controller.abort('why')
  expect((await aborted).cause).toBe('why')
  turnstile.leave()
  await third
  turnstile.leave()
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0)
  await turnstile.enter()
})

test('an abort after the turn has come changes nothing', async () => {
  const turnstile = new Turnstile()
  const controller = new AbortController()
  await turnstile.enter()
  const second = turnstile.enter(controller.signal)
  turnstile.leave()
  controller.abort()
  await second
  const third = turnstile.enter()
  turnstile.leave()
  await third
})

test('a signal that is aborted already never enters', async () => {
  const turnstile = new Turnstile()
  await rejection('ABORTED', turnstile.enter(AbortSignal.abort()))
  await turnstile.enter()
})
