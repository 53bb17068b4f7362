import { afterAll, describe, test } from 'vitest'
import { executorSuite } from '../src/executor.suite.ts'
import { databases, withServer } from './databases.ts'
import { insideTransaction } from './executor-hosts.ts'
import { libsqlHost, mysqlHost, SharedPglite } from './kysely-hosts.ts'

describe.each(['0.28', '0.29'] as const)('libSQL by Kysely %s', (version) => {
  executorSuite({ test, describe, open: () => libsqlHost(version) })

  describe('inside a transaction', () => {
    executorSuite({ test, describe, open: async () => insideTransaction(await libsqlHost(version)) })
  })
})

describe('PGlite', () => {
  const pglite = new SharedPglite()
  const open = () => pglite.host()
  afterAll(() => pglite.close())

  executorSuite({ test, describe, open })

  describe('inside a transaction', () => {
    executorSuite({ test, describe, open: async () => insideTransaction(await open()) })
  })
})

// A pool, where a stream is the driver's cursor. A schema cannot be made inside a transaction there.
for (const engine of databases.filter(({ name }) => name === 'mariadb')) {
  describe(`${engine.name} by mysql2`, () => {
    withServer(engine.name, engine.availability, () => {
      executorSuite({ test, describe, open: () => mysqlHost(engine) })
    })
  })
}
