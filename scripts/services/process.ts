import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { basename, delimiter, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Account } from './account.ts'
import type { Host } from './host.ts'
import { programFolders } from './programs.ts'

/** A program to run for a group of servers; under the host's account and with a bare environment if not told. */
export interface Command {
  readonly group: string
  readonly program: string
  readonly args: readonly string[]
  readonly account?: Account | null
  readonly env?: NodeJS.ProcessEnv
  /** SIGTERM if not told; null: nobody may end it half-way. */
  readonly endSignal?: NodeJS.Signals | null
}

/** A program that was started, with the file that its output goes to. */
export interface Started {
  readonly log: string
  /** The exit code or signal; never rejects. */
  readonly ended: Promise<string>
  isAlive(): boolean
}

/** Starts a program in a process group of its own, and lets the keeper know how to end it. */
export function launch(host: Host, command: Command): Started {
  if (host.keeper.closed) throw new Error('stopped meanwhile')
  const { group, program, args, endSignal = 'SIGTERM' } = command
  const log = join(host.folder, `${group}-${basename(program)}.log`)
  const output = openSync(log, 'a')
  const child = spawn(program, args, {
    ...(command.account === undefined ? host.account : command.account),
    cwd: host.folder,
    env: command.env ?? bareEnvironment(host),
    detached: true,
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  const pid = child.pid
  if (pid && endSignal) host.keeper.tell({ group, pid, signal: endSignal })
  let alive = true
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  }).finally(() => {
    alive = false
    if (pid && endSignal) host.keeper.tell({ gone: pid })
  })
  return { log, ended, isAlive: () => alive }
}

/** Runs a program to its end. Rejects with the end of its output if it fails or takes too long. */
export async function run(host: Host, command: Command, timeoutMs = 60_000): Promise<void> {
  const started = launch(host, command)
  const late = delay(timeoutMs, `no end after ${timeoutMs / 1000} s`, { ref: false })
  const how = await Promise.race([started.ended, late])
  if (how !== 'exit code 0') throw new Error(withLog(`${basename(command.program)}: ${how}`, started.log))
}

/** Calls `probe` until it resolves; gives up when the server has ended or the time is over. */
export async function waitUntil(
  probe: () => Promise<unknown>,
  timeoutMs: number,
  server?: Started,
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const problem = await probe().then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message || error.name : String(error)),
    )
    if (problem === null) return
    const over =
      server && !server.isAlive() ? 'it ended' : Date.now() > deadline ? `no answer: ${problem}` : null
    if (over) throw new Error(server ? withLog(over, server.log) : over)
    await delay(50)
  }
}

/** Free ports of the loopback address, as the system hands them out. */
export async function freePorts(count: number): Promise<number[]> {
  const listeners = await Promise.all(
    Array.from({ length: count }, async () => {
      const listener = createServer()
      await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
      return listener
    }),
  )
  const ports = listeners.map((listener) => (listener.address() as { port: number }).port)
  await Promise.all(listeners.map((listener) => new Promise((resolve) => listener.close(resolve))))
  return ports
}

/** Nothing of the person's own settings (PGHOST, MYSQL_HOME, ...) reaches a private server. */
function bareEnvironment({ folder }: Host): NodeJS.ProcessEnv {
  return { PATH: programFolders().join(delimiter), HOME: folder, LC_ALL: 'C.UTF-8' }
}

function withLog(problem: string, log: string): string {
  const lines = readFileSync(log, 'utf8').trimEnd().split('\n').slice(-15)
  return [problem, ...lines.map((line) => `    ${line}`)].join('\n')
}
