import type { WorkerHolder } from '@shard/core'
import type { LeaseFolder, LeaseRecord } from '@shard/sql'

/** How far beyond what the fastest clock says a window may end; `bumpLeases` goes by it too. */
const MAX_LEAD_MS = 3_600_000

/** By what a number is chosen. */
export interface Choice {
  /** How many numbers there are. */
  readonly count: number
  readonly nowMs: number
  /** By how much a host's clock may be ahead of the database's. */
  readonly maxClockSkewMs: number
  /** How long the window is that it is wanted for. */
  readonly windowMs: number
}

/** The last instant at which a window may end that is given out now. */
export function latestEndMs(
  { readAtMs, floorMarkMs }: LeaseFolder,
  { maxClockSkewMs }: Pick<Choice, 'maxClockSkewMs'>,
): number {
  return Math.max(readAtMs + maxClockSkewMs, floorMarkMs) + MAX_LEAD_MS
}

/**
 * The free numbers in the order in which they should be tried: those whose mark is not ahead of the clock from the
 * lowest on, then the others by their marks. Those that lead the database's clock by too much are left out; after a
 * bump all lead, and the lead is counted from there.
 */
export function* inOrder(folder: LeaseFolder, choice: Choice): Generator<number> {
  const { count, nowMs, windowMs } = choice
  const { floorMarkMs } = folder
  const byWorker = new Map(folder.records.map((record) => [workerOf(record), record]))
  for (let worker = 0; worker < count; worker++) {
    const record = byWorker.get(worker)
    if (!record?.isHeld && (record?.markMs ?? floorMarkMs) <= nowMs) yield worker
  }
  const latestMs = latestEndMs(folder, choice) - windowMs
  const ahead = [...byWorker]
    .map(([worker, { isHeld, markMs }]) => ({ worker, isHeld, markMs }))
    .filter(({ worker, isHeld, markMs }) => worker < count && !isHeld && markMs > nowMs && markMs <= latestMs)
    .sort((a, b) => a.markMs - b.markMs || a.worker - b.worker)
  for (const { worker, markMs } of ahead) if (markMs <= floorMarkMs) yield worker
  if (floorMarkMs > nowMs)
    for (let worker = 0; worker < count; worker++) if (!byWorker.has(worker)) yield worker
  for (const { worker, markMs } of ahead) if (markMs > floorMarkMs) yield worker
}

/** Who has which number. */
export function holdersOf({ records }: LeaseFolder): WorkerHolder[] {
  return records
    .filter(({ isHeld }) => isHeld)
    .map((record) => ({
      worker: workerOf(record),
      owner: record.owner ?? '',
      expiresAtMs: record.expiresAtMs,
    }))
    .sort((a, b) => a.worker - b.worker)
}

/** The number at the end of a lease's name. */
function workerOf({ name }: LeaseRecord): number {
  return Number(name.slice(name.lastIndexOf('/') + 1))
}
