import { acquiring } from './worker-lease/acquiring.ts'
import { badArguments } from './worker-lease/bad-arguments.ts'
import type { Check, WorkerLeaseHost } from './worker-lease/check.ts'
import { clocks } from './worker-lease/clocks.ts'
import { holding } from './worker-lease/holding.ts'
import { onRecord } from './worker-lease/on-record.ts'
import { windows } from './worker-lease/windows.ts'

export type { WorkerLeaseHost } from './worker-lease/check.ts'

/** A test runner's functions (vitest, node:test, mocha and jest fit), and what is to be tested. */
export interface WorkerLeaseSuite {
  test(name: string, body: () => Promise<void>): unknown
  describe(name: string, body: () => void): unknown
  /** Each test opens its own host and closes it. */
  open(): Promise<WorkerLeaseHost>
}

/** What `WorkerLeases` must do, wherever they are kept. */
export function workerLeaseSuite({ test, describe, open }: WorkerLeaseSuite): void {
  const check: Check = (name, body) =>
    test(name, async () => {
      const host = await open()
      try {
        await body(host)
      } finally {
        await host.close()
      }
    })
  describe('acquiring', () => acquiring(check))
  describe('windows', () => windows(check))
  describe('holding', () => holding(check))
  describe('clocks', () => clocks(check))
  describe('the layout', () => onRecord(check))
  describe('bad arguments', () => badArguments(check))
}
