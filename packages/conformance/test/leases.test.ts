import { describe, test } from 'vitest'
import { leaseSuite } from '../src/lease.suite.ts'
import { databases, withServer } from './databases.ts'
import { sharded } from './executor-hosts.ts'
import { leaseHost, memoryLeaseHost } from './lease-hosts.ts'

describe('memory', () => leaseSuite({ test, describe, open: memoryLeaseHost }))

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      leaseSuite({ test, describe, open: () => leaseHost(engine) })

      describe('behind a sharded executor', () => {
        leaseSuite({ test, describe, open: () => leaseHost(engine, sharded) })
      })
    })
  })
}
