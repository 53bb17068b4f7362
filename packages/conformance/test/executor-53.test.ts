import { afterAll, describe, test } from 'vitest'
import { executor53Suite } from '../src/executor-53.suite.ts'
import { D1Databases } from './d1.ts'

describe('Cloudflare D1', () => {
  const databases = new D1Databases()
  afterAll(() => databases.close())

  executor53Suite({ test, describe, open: () => databases.host() })
})
