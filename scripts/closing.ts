import type { Services } from './services/services.ts'

/** Tests and steps, counted together. */
export interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** Does a build server run this, where nothing may be left out? */
export function isCi(env: NodeJS.ProcessEnv): boolean {
  return env.CI !== undefined && !['', '0', 'false'].includes(env.CI)
}

/** The last line of a run. */
export function closingLine({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}

/** Adds up. */
export function sum(tallies: readonly Tally[]): Tally {
  const total = (key: keyof Tally) => tallies.reduce((count, tally) => count + tally[key], 0)
  return { passed: total('passed'), failed: total('failed'), skipped: total('skipped') }
}

/** Says in plain words what does not run, why, and how to get it. */
export function notRunLines(
  { missing, leftOut }: Pick<Services, 'missing' | 'leftOut'>,
  env: NodeJS.ProcessEnv,
): string[] {
  const lines = missing.flatMap(({ title, why, how }) => [
    `Not run: the tests on ${title}.`,
    ...`Why: ${why}`.split('\n').map((line) => `  ${line}`),
    `  To run them: ${how}.`,
  ])
  if (leftOut.length === 0) return lines
  return [...lines, `Left out on purpose, by DIALECTS=${env.DIALECTS}: ${leftOut.join(', ')}.`]
}
