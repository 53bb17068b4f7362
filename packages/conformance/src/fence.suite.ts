import type { Check, FenceHost } from './fence/check.ts'
import { deposed } from './fence/deposed.ts'
import { fence } from './fence/fence.ts'
import { fencedWrites } from './fence/fenced-writes.ts'
import { interleaved } from './fence/interleaved.ts'

export type { FenceHost } from './fence/check.ts'

/** A test runner's functions (vitest, node:test, mocha and jest fit), and what is to be tested. */
export interface FenceSuite {
  test(name: string, body: () => Promise<void>): unknown
  describe(name: string, body: () => void): unknown
  /** Each test opens its own host and closes it. */
  open(): Promise<FenceHost>
}

/** What `shardFence` and `fencedExecutor` must do on an `Executor`, at the engine's default isolation. */
export function fenceSuite({ test, describe, open }: FenceSuite): void {
  const check: Check = (name, body) =>
    test(name, async () => {
      const host = await open()
      try {
        await body(host)
      } finally {
        await host.close()
      }
    })
  describe('the fence', () => fence(check))
  describe('fenced writes', () => fencedWrites(check))
  describe('a deposed owner', () => deposed(check))
  describe('interleaved on two connections', () => interleaved(check))
}
