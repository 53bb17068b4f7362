import { memoryRegistry } from '@shard/registry'
import { describe, test } from 'vitest'
import { registrySuite } from '../src/registry.suite.ts'
import { databases, withServer } from './databases.ts'
import { insideTransaction, sharded } from './executor-hosts.ts'
import { registryHost } from './registry-hosts.ts'

describe('memory', () => {
  const open = async () => ({
    registry: (family: string) => memoryRegistry({ family }),
    close: async () => {},
  })
  registrySuite({ describe, test, open })
})

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      registrySuite({ describe, test, open: () => registryHost(engine) })

      describe('behind a sharded executor', () => {
        registrySuite({ describe, test, open: () => registryHost(engine, { decorate: sharded }) })
      })

      describe('inside a transaction', () => {
        registrySuite({ describe, test, open: () => registryHost(engine, { inside: insideTransaction }) })
      })
    })
  })
}
