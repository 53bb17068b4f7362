import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runChild } from './child.ts'
import type { Tally } from './closing.ts'
import { type Report, tallyOf } from './report.ts'

/** For the tools' environment: nothing is sent anywhere, and no advice in the output. */
export const quietTools = {
  TURBO_TELEMETRY_DISABLED: '1',
  DO_NOT_TRACK: '1',
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
} as const

const root = fileURLToPath(new URL('..', import.meta.url))

/** Runs one of the workspace's tools, and counts it as one: passed or failed. */
export async function runTool(
  name: string,
  args: readonly string[],
  interrupted: AbortSignal,
): Promise<Tally> {
  const passed = (await runBinary(name, args, {}, interrupted)) === 0
  if (!passed && !interrupted.aborted) console.error(`\nfailed: ${name} ${args.join(' ')}\n`)
  return { passed: passed ? 1 : 0, failed: passed ? 0 : 1, skipped: 0 }
}

/** A run of vitest: its arguments, what the tests need in their environment, and where the report may go. */
export interface TestRun {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly folder: string
}

/** Runs the tests of all projects at once, and counts them. */
export async function runTests({ args, env, folder }: TestRun, interrupted: AbortSignal): Promise<Tally> {
  const file = join(folder, 'report.json')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const code = await runBinary('vitest', ['run', ...reporters, ...args], env, interrupted)
  return tallyOf(readReport(file), code)
}

function runBinary(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  interrupted: AbortSignal,
): Promise<number> {
  const program = join(root, 'node_modules/.bin', name)
  return runChild(program, args, { cwd: root, env: { ...process.env, ...quietTools, ...env } }, interrupted)
}

function readReport(file: string): Report | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report
  } catch {
    return null
  }
}
