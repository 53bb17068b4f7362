import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runChild } from './child.ts'
import { interruption } from './interruption.ts'
import { quietTools } from './steps.ts'

/** Builds, saying nothing unless it fails, then runs the sample app in the caller's folder. */
const root = fileURLToPath(new URL('..', import.meta.url))
const program = (name: string) => join(root, 'node_modules/.bin', name)
const interrupted = interruption()

const build = spawnSync(program('turbo'), ['run', 'build', '--output-logs=errors-only'], {
  cwd: root,
  env: { ...process.env, ...quietTools },
  encoding: 'utf8',
})
if (build.status === 0) {
  const args = [join(root, 'apps/demo/src/main.ts'), ...process.argv.slice(2)]
  const cwd = process.env.INIT_CWD ?? process.cwd()
  process.exitCode = await runChild(program('tsx'), args, { cwd }, interrupted)
} else {
  console.error(`${build.stdout}${build.stderr}`)
  process.exitCode = build.status ?? 1
}
