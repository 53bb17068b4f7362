import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { databases, withServer } from './databases.ts'
import { allSteps, raceSignUps } from './sign-up-race.ts'

// The whole race, 50 callers for each of 300 keys, is a script: directory-long-run.ts.
// Here the processes die where it matters; what they do between two databases.
const size = { keys: 20, callers: 12, ttlMs: 80, timeoutMs: 110_000, deaths: allSteps.slice(0, 4) }

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      test('four processes that die and stand still at each step make one account for each key', async () => {
        const { ids, kills } = await raceSignUps(engine, size)
        assert.ok(ids > size.keys && kills === 4)
      }, 120_000)
    })
  })
}
