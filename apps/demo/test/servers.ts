import { expect, test } from 'vitest'

/** The engines, as they are spelled in `DIALECTS`. */
export type EngineName = 'sqlite' | 'postgres' | 'mysql'

/** Where the servers are that the tests may use. */
export const servers: Readonly<Record<Exclude<EngineName, 'sqlite'>, string | undefined>> = {
  postgres: process.env.SHARD_TEST_POSTGRES_URL,
  mysql: process.env.SHARD_TEST_MYSQL_URL,
}

/**
 * Runs `body`, which needs some engines. One without a server never passes in silence: on a build server it is a
 * failing test, on a person's machine and when `DIALECTS` excludes it a skipped one.
 */
export function withEngines(name: string, engines: readonly EngineName[], body: () => void): void {
  const wanted = process.env.DIALECTS?.split(',').map((dialect) => dialect.trim())
  const missing = engines.filter((engine) => engine !== 'sqlite' && !servers[engine])
  const isCi = !['', '0', 'false'].includes(process.env.CI ?? '')
  if (wanted && engines.some((engine) => !wanted.includes(engine))) test.skip(`${name}: left out by DIALECTS`)
  else if (missing.length === 0) body()
  else if (!isCi)
    test.skip(`${name}: no ${missing.join(', no ')}; run the tests with \`pnpm test\` to get a server`)
  else test(`${name} has its servers`, () => expect(missing).toEqual([]))
}
