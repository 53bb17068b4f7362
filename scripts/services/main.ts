import { once } from 'node:events'
import { runChild } from '../child.ts'
import { isCi, notRunLines } from '../closing.ts'
import { exitCodeOf, interruption } from '../interruption.ts'
import { type Services, startServices } from './services.ts'

const usage = `usage: pnpm services up               start the servers that tests use, until Ctrl-C
       pnpm services run -- COMMAND   run a command with them`

process.exitCode = await main(process.argv.slice(2), interruption())

async function main([verb, ...rest]: string[], interrupted: AbortSignal): Promise<number> {
  const command = rest[0] === '--' ? rest.slice(1) : rest
  if (verb !== 'up' && !(verb === 'run' && command.length > 0)) {
    console.error(usage)
    return 2
  }
  const starting = startServices({ env: process.env, say: (line) => console.error(`services: ${line}`) })
  try {
    const ended = once(interrupted, 'abort').then(() => null)
    const services = await Promise.race([starting.ready, ended])
    if (!services) return exitCodeOf(interrupted.reason)
    for (const line of notRunLines(services, process.env)) console.error(line)
    if (isCi(process.env) && services.missing.length > 0) return 1
    return await (verb === 'up' ? up(services, ended) : run(command, services, interrupted))
  } finally {
    await starting.stop()
  }
}

async function up({ env }: Services, ended: Promise<unknown>): Promise<number> {
  for (const [name, value] of Object.entries(env)) console.log(`export ${name}='${value}'`)
  console.error('services: Ctrl-C stops them')
  const awake = setInterval(() => {}, 60_000)
  await ended
  clearInterval(awake)
  return 0
}

function run(
  [program = '', ...args]: string[],
  services: Services,
  interrupted: AbortSignal,
): Promise<number> {
  const env = { ...process.env, ...services.env }
  return runChild(
    program,
    args,
    { env, ...(process.env.INIT_CWD ? { cwd: process.env.INIT_CWD } : {}) },
    interrupted,
  )
}
