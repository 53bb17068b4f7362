import { expect, test } from 'vitest'
import { SharedFlight } from '../src/shared-flight.ts'

/** Work that ends when told to. */
function controlled() {
  const started: PromiseWithResolvers[] = []
  const flight = new SharedFlight<string, number>(() => {
    const control = withResolvers()
    started.push(control)
    return control.promise
  })
  return { flight, started }
}

interface PromiseWithResolvers {
  promise: Promise<number>
  resolve: (value: number) => void
  reject: (error: unknown) => void
}

function withResolvers(): PromiseWithResolvers {
  let resolve: PromiseWithResolvers['resolve'] = () => {}
  let reject: PromiseWithResolvers['reject'] = () => {}
  const promise = new Promise<number>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

test('all who ask while it runs share one piece of work; the next starts another', async () => {
  const { flight, started } = controlled()
  const joined = [flight.join('a', undefined).answer, flight.join('a', new AbortController().signal).answer]
  expect(started).toHaveLength(1)
  started[0]?.resolve(7)
  expect(await Promise.all(joined)).toEqual([7, 7])
  const next = flight.join('a', undefined).answer
  started[1]?.resolve(8)
  expect(await next).toBe(8)
})

test('one who gives up leaves the others their answer', async () => {
  const { flight, started } = controlled()
  const giveUp = new AbortController()
  const given = flight.join('a', giveUp.signal).answer
  const patient = flight.join('a', undefined).answer
  giveUp.abort('enough')
  await expect(given).rejects.toMatchObject({ code: 'ABORTED', cause: 'enough' })
  started[0]?.resolve(7)
  expect(await patient).toBe(7)
})

test('a failure is everybody’s, and is not kept', async () => {
  const { flight, started } = controlled()
  const joined = [flight.join('a', undefined).answer, flight.join('a', new AbortController().signal).answer]
  started[0]?.reject(new Error('broken'))
  for (const end of await Promise.allSettled(joined)) expect(end.status).toBe('rejected')
  const next = flight.join('a', undefined).answer
  started[1]?.resolve(9)
  expect(await next).toBe(9)
})

test('an aborted signal starts nothing', () => {
  const { flight, started } = controlled()
  expect(() => flight.join('a', AbortSignal.abort())).toThrow(expect.objectContaining({ code: 'ABORTED' }))
  expect(started).toHaveLength(0)
})

test('who asks for something else waits for the end, good or bad, and asks again', async () => {
  const { flight, started } = controlled()
  flight.join('a', undefined)
  const other = flight.join('b', undefined)
  expect(other.isShared).toBe(false)
  started[0]?.resolve(7)
  expect(await other.answer).toBeNull()
  const failing = flight.join('b', undefined)
  expect(failing.isShared).toBe(true)
  const waiting = flight.join('a', undefined)
  started[1]?.reject(new Error('broken'))
  expect(await waiting.answer).toBeNull()
  await expect(failing.answer).rejects.toThrow()
})
