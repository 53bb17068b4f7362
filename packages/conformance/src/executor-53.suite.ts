import type { Check } from './executor/check.ts'
import type { ExecutorHost, ExecutorSuite } from './executor.suite.ts'
import { calls } from './executor-53/calls.ts'
import { integers } from './executor-53/integers.ts'
import { sharding } from './executor-53/sharding.ts'

/** What an `Executor` on an engine without 64-bit integers must do: one that declares `int64: false`. */
export function executor53Suite({ test, describe, open }: ExecutorSuite): void {
  const check: Check = (name, body) =>
    test(name, async () => {
      const host: ExecutorHost = await open()
      try {
        await body(host.executor)
      } finally {
        await host.close()
      }
    })
  describe('53-bit integers', () => integers(check))
  describe('calls', () => calls(check))
  describe('sharding', () => sharding(check))
}
