import type { Service } from './ways.ts'

const names: Readonly<Record<string, readonly Service['name'][]>> = {
  sqlite: [],
  postgres: ['postgres', 'pgbouncer'],
  mysql: ['mysql'],
}

/**
 * Which servers the person wants. `DIALECTS` names the dialects to test and leaves out all else, also the S3
 * store if no address of one is given.
 */
export function wantedServices(env: NodeJS.ProcessEnv): Service['name'][] {
  if (!env.DIALECTS) return ['postgres', 'pgbouncer', 'mysql', 's3']
  const dialects = env.DIALECTS.split(',').map((name) => name.trim())
  const unknown = dialects.find((name) => !Object.hasOwn(names, name))
  if (unknown !== undefined) {
    throw new Error(`DIALECTS names "${unknown}": it may name ${Object.keys(names).join(', ')}`)
  }
  const wanted = dialects.flatMap((name) => names[name] ?? [])
  return env.SHARD_TEST_S3_ENDPOINT ? [...wanted, 's3'] : wanted
}
