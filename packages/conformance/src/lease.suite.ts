import { badArguments } from './lease/bad-arguments.ts'
import type { Check, LeaseHost } from './lease/check.ts'
import { expiry } from './lease/expiry.ts'
import { holding } from './lease/holding.ts'
import { names } from './lease/names.ts'
import { races } from './lease/races.ts'
import { reservations } from './lease/reservations.ts'

export type { LeaseHost } from './lease/check.ts'

/** A test runner's functions (vitest, node:test, mocha and jest fit), and what is to be tested. */
export interface LeaseSuite {
  test(name: string, body: () => Promise<void>): unknown
  describe(name: string, body: () => void): unknown
  /** Each test opens its own host and closes it. */
  open(): Promise<LeaseHost>
}

/** What `Leases` must do, wherever they are kept. */
export function leaseSuite({ test, describe, open }: LeaseSuite): void {
  const check: Check = (name, body) =>
    test(name, async () => {
      const host = await open()
      try {
        await body(host.leases(), host)
      } finally {
        await host.close()
      }
    })
  describe('holding', () => holding(check))
  describe('expiry', () => expiry(check))
  describe('reservations', () => reservations(check))
  describe('names', () => names(check))
  describe('races', () => races(check))
  describe('bad arguments', () => badArguments(check))
}
