import { once } from 'node:events'
import { closingLine, isCi, notRunLines, sum, type Tally } from './closing.ts'
import { exitCodeOf, interruption } from './interruption.ts'
import { type Services, startServices } from './services/services.ts'
import { runTests, runTool } from './steps.ts'

interface Outcome {
  readonly tally: Tally
  readonly notes: readonly string[]
}

const interrupted = interruption()
report(await runAll(process.argv.slice(2)).catch(breakdown))

async function runAll(vitestArgs: readonly string[]): Promise<Outcome> {
  const starting = startServices({ env: process.env, say: (line) => console.log(`services: ${line}`) })
  const interruptedFirst = once(interrupted, 'abort').then(() => null)
  try {
    return await runSteps(Promise.race([starting.ready, interruptedFirst]), vitestArgs)
  } finally {
    await starting.stop()
  }
}

/** Build, checks, then every test; the servers start while the build runs. */
async function runSteps(starting: Promise<Services | null>, args: readonly string[]): Promise<Outcome> {
  starting.catch(() => {})
  const steps = [await runTool('turbo', ['run', 'build', '--output-logs=errors-only'], interrupted)]
  const isBuilt = sum(steps).failed === 0
  steps.push(
    await runTool('turbo', ['run', 'check', '--continue', '--output-logs=errors-only'], interrupted),
    await runTool('tsc', ['--project', '.'], interrupted),
    await runTool('biome', ['check', '.'], interrupted),
  )
  const services = await starting
  if (!services) return { tally: sum(steps), notes: [] }
  if (isBuilt) steps.push(await runTests({ ...services, args }, interrupted))
  const notes = isBuilt ? [] : ['No test was run, as the build failed.']
  return {
    tally: sum([...steps, absence(services)]),
    notes: [...notes, ...notRunLines(services, process.env)],
  }
}

/** A missing server is a failure on a build server. */
function absence({ missing }: Services): Tally {
  return { passed: 0, failed: isCi(process.env) ? missing.length : 0, skipped: 0 }
}

function breakdown(error: unknown): Outcome {
  return {
    tally: { passed: 0, failed: 1, skipped: 0 },
    notes: [`The run broke down: ${(error as Error).message}`],
  }
}

/** The last lines of the run, and its exit code. */
function report({ tally, notes }: Outcome): void {
  const note = interrupted.aborted ? ['The run was interrupted.'] : []
  for (const line of ['', ...notes, ...note, closingLine(tally)]) console.log(line)
  process.exitCode = interrupted.aborted ? exitCodeOf(interrupted.reason) : Number(tally.failed > 0)
}
