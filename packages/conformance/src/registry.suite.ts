import { badArguments } from './registry/bad-arguments.ts'
import type { Check, RegistryHost } from './registry/check.ts'
import { records } from './registry/records.ts'
import { reservations } from './registry/reservations.ts'
import { sizes } from './registry/sizes.ts'
import { swaps } from './registry/swaps.ts'
import { transitions } from './registry/transitions.ts'

export type { RegistryHost } from './registry/check.ts'

/** A test runner's functions (vitest, node:test, mocha and jest fit), and what is to be tested. */
export interface RegistrySuite {
  test(name: string, body: () => Promise<void>): unknown
  describe(name: string, body: () => void): unknown
  /** Each test opens its own host and closes it. */
  open(): Promise<RegistryHost>
}

/** What every `ShardRegistry` must do. */
export function registrySuite({ test, describe, open }: RegistrySuite): void {
  const check: Check = (name, body) =>
    test(name, async () => {
      const host = await open()
      try {
        await body(host.registry('users'), host.registry('teams'))
      } finally {
        await host.close()
      }
    })
  describe('records', () => records(check))
  describe('transitions', () => transitions(check))
  describe('sizes and capacity', () => sizes(check))
  describe('reservations', () => reservations(check))
  describe('swapping the active shard', () => swaps(check))
  describe('bad arguments', () => badArguments(check))
}
