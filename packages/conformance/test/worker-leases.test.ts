import { describe, test } from 'vitest'
import { workerLeaseSuite } from '../src/worker-lease.suite.ts'
import { databases, withServer } from './databases.ts'
import { memoryWorkerLeaseHost, workerLeaseHost } from './worker-lease-hosts.ts'

describe('memory', () => workerLeaseSuite({ test, describe, open: memoryWorkerLeaseHost }))

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      workerLeaseSuite({ test, describe, open: () => workerLeaseHost(engine) })
    })
  })
}
