import { allocating } from './counter/allocating.ts'
import { badArguments } from './counter/bad-arguments.ts'
import type { Check, CounterHost } from './counter/check.ts'
import { races } from './counter/races.ts'
import { marks, swapping } from './counter/swapping.ts'

export type { CounterHost } from './counter/check.ts'

/** A test runner's functions (vitest, node:test, mocha and jest fit), and what is to be tested. */
export interface CounterSuite {
  test(name: string, body: () => Promise<void>): unknown
  describe(name: string, body: () => void): unknown
  /** Each test opens its own host, in which no counter has been made, and closes it. */
  open(): Promise<CounterHost>
}

/** What a `Counter` must do, wherever it is kept. */
export function counterSuite({ test, describe, open }: CounterSuite): void {
  const check: Check = (name, body) =>
    test(name, async () => {
      const host = await open()
      try {
        await body(await host.counter(), host)
      } finally {
        await host.close()
      }
    })
  describe('swapping', () => swapping(check))
  describe('marks', () => marks(check))
  describe('races', () => races(check))
  describe('allocating', () => allocating(check))
  describe('bad arguments', () => badArguments(check))
}
