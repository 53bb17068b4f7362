import { spawnSync } from 'node:child_process'
import { mutations } from './mutations/list.ts'
import type { Mutation } from './mutations/mutation.ts'

/**
 * Runs the tests of each listed fault with the fault in the code, and fails if one of them goes unnoticed:
 * `pnpm services run -- pnpm mutations [part of a name]`. A time-out counts as noticed.
 */
const TIMEOUT_MS = 180_000

function pass(tests: readonly string[], mutation: Mutation | null): boolean {
  const { status } = spawnSync('vitest', ['run', '--bail', '1', ...tests], {
    env: { ...process.env, SHARD_MUTATION: mutation ? JSON.stringify(mutation) : '' },
    stdio: 'ignore',
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
  })
  return status === 0
}

/** Tests that fail without a fault would prove nothing. */
const sound = new Map<string, boolean>()
function areSound(tests: readonly string[]): boolean {
  const key = tests.join(' ')
  const known = sound.get(key) ?? pass(tests, null)
  sound.set(key, known)
  return known
}

const wanted = mutations.filter(({ name }) => name.includes(process.argv[2] ?? ''))
const survivors = wanted.filter((mutation) => {
  const verdict = !areSound(mutation.tests)
    ? 'UNSOUND '
    : pass(mutation.tests, mutation)
      ? 'SURVIVED'
      : 'killed  '
  console.log(`${verdict} ${mutation.name}`)
  return verdict !== 'killed  '
})
console.log(`${wanted.length - survivors.length} passed, ${survivors.length} failed`)
process.exitCode = survivors.length === 0 ? 0 : 1
