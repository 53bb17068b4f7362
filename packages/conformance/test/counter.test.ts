import { afterAll, beforeAll, describe, test } from 'vitest'
import { counterSuite } from '../src/counter.suite.ts'
import { counterHost, memoryHost, scriptedHost } from './counter-hosts.ts'
import { bucketPlace, databasePlace, type OwnPlace, r2Place } from './counter-stores.ts'
import { databases, s3Store, withServer } from './databases.ts'

describe('memory', () => counterSuite({ test, describe, open: memoryHost }))

for (const engine of databases) {
  describe(engine.name, () => {
    withServer(engine.name, engine.availability, () => {
      counterSuite({ test, describe, open: async () => counterHost(await databasePlace(engine)) })
    })
  })
}

for (const comparison of ['quoted', 'bare'] as const) {
  describe(`the SDK over a scripted store that compares ${comparison} ETags`, () => {
    counterSuite({ test, describe, open: () => scriptedHost(comparison) })
  })
}

describe('the S3 store', () => {
  withServer('the S3 store', s3Store, (endpoint) => {
    counterSuite({ test, describe, open: async () => counterHost(await bucketPlace(endpoint)) })
  })
})

describe('R2', () => {
  let r2: OwnPlace | null = null
  let tests = 0
  beforeAll(async () => {
    r2 = await r2Place()
  })
  afterAll(() => r2?.drop())
  const open = async () => {
    if (r2?.place.kind !== 's3') throw new Error('R2 has not started')
    return counterHost({ place: { ...r2.place, bucket: `bucket-${tests++}` }, drop: async () => {} })
  }
  counterSuite({ test, describe, open })
})
