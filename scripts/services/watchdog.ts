import { execFile } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Duty, Order } from './keeper.ts'

const patienceMs = 10_000

/**
 * A process of its own, started with the private folder as its argument. It reads orders from its parent and,
 * when the parent closes the pipe or dies (`kill -9` too), ends all it was told of, then removes the folder.
 */
async function watch(folder: string): Promise<void> {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {})
  const groups = new Map<string, Duty[]>()
  for await (const line of createInterface({ input: process.stdin })) {
    const order = JSON.parse(line) as Order
    if ('gone' in order) forget(groups, order.gone)
    else groups.set(order.group, [order, ...(groups.get(order.group) ?? [])])
  }
  await Promise.all([...groups.values()].map(endInOrder))
  await removeFolder(folder)
}

/** Tries again while something, as our own dying parent, still adds to the folder. */
async function removeFolder(folder: string): Promise<void> {
  for (
    const deadline = Date.now() + patienceMs;
    existsSync(folder) && Date.now() < deadline;
    await delay(50)
  ) {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // The next round may do it.
    }
  }
  if (existsSync(folder)) process.exitCode = 1
}

/** A pid is dropped as soon as its process has ended, for the system may give the number to a stranger. */
function forget(groups: Map<string, Duty[]>, pid: number): void {
  for (const [name, duties] of groups) {
    const left = duties.filter((duty) => !('pid' in duty) || duty.pid !== pid)
    groups.set(name, left)
  }
}

async function endInOrder(duties: readonly Duty[]): Promise<void> {
  for (const duty of duties) {
    if ('command' in duty) await runToEnd(duty.command)
    else await endProcess(duty.pid, duty.signal)
  }
}

async function runToEnd([program = '', ...args]: readonly string[]): Promise<void> {
  await promisify(execFile)(program, args, { timeout: 60_000 }).catch(() => {})
}

async function endProcess(pid: number, signal: NodeJS.Signals): Promise<void> {
  send(pid, signal)
  await isGone(pid)
  // For what is left of the group too, as a set-up script may end before its server.
  send(pid, 'SIGKILL')
  await isGone(pid)
}

/** Each server leads a process group of its own, so its children get the signal too. */
function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // It has ended already.
  }
}

async function isGone(pid: number): Promise<boolean> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await delay(20)) {
    if (!isAlive(pid)) return true
  }
  return false
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

await watch(process.argv[2] ?? '')
