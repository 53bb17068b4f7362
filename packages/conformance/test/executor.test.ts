import { describe, test } from 'vitest'
import { executorSuite } from '../src/executor.suite.ts'
import { behindPgBouncer, databases, withServer } from './databases.ts'
import { executorHost, insideTransaction, sharded, watched } from './executor-hosts.ts'

for (const engine of [...databases, behindPgBouncer]) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      executorSuite({ test, describe, open: () => executorHost(engine) })

      describe('behind a sharded executor', () => {
        executorSuite({ test, describe, open: () => executorHost(engine, sharded) })
      })

      describe('instrumented, and retried with a breaker', () => {
        executorSuite({ test, describe, open: () => executorHost(engine, watched) })
      })

      describe('inside a transaction', () => {
        executorSuite({ test, describe, open: async () => insideTransaction(await executorHost(engine)) })
      })
    })
  })
}
