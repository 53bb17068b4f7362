import { type ChildProcess, fork } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Minting } from './id-minter.ts'

/** What may befall a process once it has written so many ids. */
export interface Blow {
  readonly after: number
  /** It is killed, and another is started at once; or it is stopped for longer than its lease lasts. */
  readonly kind: 'kill' | 'pause'
}

/** A place in which there is always one process, until its ids are made. */
export interface Slot {
  readonly aheadMs: number
  readonly blows: readonly Blow[]
}

/** What all processes have in common. */
export interface Fleet {
  /** The bundle of `id-minter.ts`. */
  readonly program: string
  readonly job: Pick<Minting, 'url' | 'layout' | 'ttlMs' | 'perLease'>
  readonly idsPerSlot: number
  readonly folder: string
  /** Into how many files each process sorts its ids. */
  readonly partitions: number
  readonly timeoutMs: number
}

/** How often it is looked whether a blow is due. */
const LOOK_MS = 15

/** The files of all processes that there were, one list a partition. */
export type Files = readonly (readonly string[])[]

/**
 * Lets a process mint in each slot, and strikes them as planned. None outlives the call.
 * @returns the files of their ids
 */
export async function mintTogether(fleet: Fleet, slots: readonly Slot[]): Promise<Files> {
  const files: string[][] = Array.from({ length: fleet.partitions }, () => [])
  const running = new Set<ChildProcess>()
  try {
    // All begin at once, also on a machine that is slow to start them.
    const first = await Promise.all(slots.map(() => startMinter(fleet, running)))
    await Promise.all(slots.map((slot, i) => mintIn(slot, fleet, files, first[i] as ChildProcess, running)))
  } finally {
    for (const child of running) child.kill('SIGKILL')
  }
  return files
}

async function mintIn(
  { aheadMs, blows }: Slot,
  fleet: Fleet,
  files: string[][],
  first: ChildProcess,
  running: Set<ChildProcess>,
): Promise<void> {
  const left = [...blows]
  let written = 0
  for (let child = first; written < fleet.idsPerSlot; ) {
    const own = files.map((_, p) => join(fleet.folder, `${child.pid}-${p}`))
    child.send({ ...fleet.job, aheadMs, count: fleet.idsPerSlot - written, files: own } satisfies Minting)
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    const before = written
    const writtenNow = (): number => before + own.reduce((sum, file) => sum + idsIn(file), 0)
    await strike(child, ended, left, writtenNow, fleet.job.ttlMs)
    const code = await ended
    if (code !== 0 && code !== null) throw new Error(`a process failed with ${code}`)
    written = writtenNow()
    // One that was killed early has made none.
    for (const [p, file] of own.entries()) if (existsSync(file)) files[p]?.push(file)
    if (code === 0) break
    child = await startMinter(fleet, running)
  }
}

/** Does to a process what is due, until it is killed or ends. */
async function strike(
  child: ChildProcess,
  ended: Promise<unknown>,
  blows: Blow[],
  written: () => number,
  ttlMs: number,
): Promise<void> {
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  while (blows[0] && !isOver) {
    await sleep(LOOK_MS)
    if (written() < blows[0].after) continue
    const { kind } = blows.shift() as Blow
    if (kind === 'kill') return void child.kill('SIGKILL')
    child.kill('SIGSTOP')
    await sleep(ttlMs + 500)
    child.kill('SIGCONT')
  }
}

/** A process that waits for what it is to mint. */
function startMinter({ program, timeoutMs }: Fleet, running: Set<ChildProcess>): Promise<ChildProcess> {
  const child = fork(program, { execArgv: [], timeout: timeoutMs, killSignal: 'SIGKILL' })
  running.add(child)
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => {
      running.delete(child)
      reject(new Error(`a process ended with ${code}`))
    })
    child.once('error', reject).once('message', () => resolve(child))
  })
}

/** What a process wrote in part when it was killed is no id. */
function idsIn(file: string): number {
  return Math.floor((statSync(file, { throwIfNoEntry: false })?.size ?? 0) / 8)
}
