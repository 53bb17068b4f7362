import type { Executor } from '@shard/core'
import { affectedRows } from './executor/affected-rows.ts'
import type { Check } from './executor/check.ts'
import { errors } from './executor/errors.ts'
import { integers } from './executor/integers.ts'
import { parameters } from './executor/parameters.ts'
import { signals } from './executor/signals.ts'
import { streams } from './executor/streams.ts'
import { transactions } from './executor/transactions.ts'
import { values } from './executor/values.ts'

/** An executor under test, on an empty database of its own. */
export interface ExecutorHost {
  readonly executor: Executor
  close(): Promise<void>
}

/** A test runner's functions (vitest, node:test, mocha and jest fit), and what is to be tested. */
export interface ExecutorSuite {
  test(name: string, body: () => Promise<void>): unknown
  describe(name: string, body: () => void): unknown
  /** Each test opens its own host and closes it. */
  open(): Promise<ExecutorHost>
}

/** What every `Executor` must do, a transaction's and a decorated one too. */
export function executorSuite({ test, describe, open }: ExecutorSuite): void {
  const check: Check = (name, body) =>
    test(name, async () => {
      const host = await open()
      try {
        await body(host.executor)
      } finally {
        await host.close()
      }
    })
  describe('integers', () => integers(check))
  describe('other values', () => values(check))
  describe('affected rows', () => affectedRows(check))
  describe('parameters', () => parameters(check))
  describe('errors', () => errors(check))
  describe('transactions', () => transactions(check))
  describe('streams', () => streams(check))
  describe('signals', () => signals(check))
}
