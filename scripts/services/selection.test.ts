import { expect, test } from 'vitest'
import { wantedServices } from './selection.ts'

test.each([
  [{}, ['postgres', 'pgbouncer', 'mysql', 's3']],
  [{ DIALECTS: '' }, ['postgres', 'pgbouncer', 'mysql', 's3']],
  [{ DIALECTS: 'sqlite' }, []],
  [{ DIALECTS: 'sqlite, mysql' }, ['mysql']],
  [
    { DIALECTS: 'postgres', SHARD_TEST_S3_ENDPOINT: 'http://127.0.0.1:9000' },
    ['postgres', 'pgbouncer', 's3'],
  ],
])('%o asks for %o', (env, wanted) => {
  expect(wantedServices(env)).toEqual(wanted)
})

test('a dialect that does not exist is an error, not a run without it', () => {
  expect(() => wantedServices({ DIALECTS: 'sqlite,oracle' })).toThrow('"oracle"')
})
