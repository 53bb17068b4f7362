import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { mulberry32 } from '../src/faults.ts'
import { databases, withServer } from './databases.ts'
import { checkHistory } from './directory-history.ts'
import { memoryHistoryHost, withHistoryHost } from './directory-history-hosts.ts'

// The whole histories, 1,000,000 operations in memory and on SQLite and 50,000 elsewhere, are a script:
// directory-long-run.ts.
const seed = Math.floor(Math.random() * 2 ** 32)

test(`memory explains a history of 20,000 operations (seed ${seed})`, async () => {
  const random = mulberry32(seed)
  const { failures, rivals } = await checkHistory(memoryHistoryHost(random), 20_000, random)
  assert.ok((failures.CONNECTION_LOST ?? 0) > 100 && rivals > 1_000)
  assert.deepEqual(Object.keys(failures), ['CONNECTION_LOST'])
})

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      test(`explains a history of random operations (seed ${seed})`, async () => {
        const operations = engine.name === 'sqlite' ? 8_000 : 1_200
        const { failures, rivals } = await withHistoryHost(engine, seed, (host) =>
          checkHistory(host, operations, mulberry32(seed)),
        )
        assert.ok((failures.CONNECTION_LOST ?? 0) > 5 && rivals > 50)
        assert.deepEqual(Object.keys(failures), ['CONNECTION_LOST'])
      })
    })
  })
}
