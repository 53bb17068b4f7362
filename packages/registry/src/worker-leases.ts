import type { WorkerLease } from '@shard/core'
import { type Clock, type Delay, type Executor, type Layout, systemClock, delay as timer } from '@shard/core'
import { leases } from '@shard/sql'
import { layoutRecord } from './layout-sql.ts'
import { workerLeasesOver } from './worker-leases-over.ts'

/**
 * The worker numbers of a family: each belongs to one process at a time, with a window of time stamps that no
 * other process has had or will have under that number. So `new IdAllocator({ worker })` in any number of
 * processes makes no id twice, whoever is killed or paused, and whatever their clocks say.
 */
export interface WorkerLeases {
  readonly family: string
  /**
   * Takes the lowest free number whose mark is not ahead of the host's clock, else the one with the smallest mark;
   * `mintFromMs` is the later of the mark and the clock. Extends the lease from time to time until it is closed or
   * lost. Of racers each gets another number. A lost reply is settled by reading the token back; if that fails too,
   * or the process dies, the number stays taken, by nobody, until the lease expires.
   * @throws InvalidArgumentError before any I/O
   * @throws LayoutMismatchError if another layout is on record
   * @throws ClockSkewError if the host's clock and the database's differ by more than `maxClockSkewMs`
   * @throws NoFreeWorkerError (retryable) with the holders: all numbers are taken, or so many restarts in a row
   * have used them that their windows end more than an hour ahead of any clock
   */
  acquire(options: AcquireWorkerOptions): Promise<WorkerLease>
}

/** How a worker number is to be held. */
export interface AcquireWorkerOptions {
  /** Who asks, for people to read: text of 1 to 85 characters. */
  readonly owner: string
  /**
   * From a second to half an hour: how long a number stays taken after its process was killed, and how long a
   * process goes on while the database cannot be reached. It is extended each third of it.
   */
  readonly ttlMs: number
  readonly signal?: AbortSignal | undefined
}

/** What worker leases are made with; all but the family has a default. */
export interface WorkerLeasesOptions {
  readonly family: string
  /** The one on record; `layouts.default` if none is. */
  readonly layout?: Layout
  /**
   * Two hours. Windows keep ids apart, not clocks: this is for stamps that people can use, and a longer one needs an
   * `aheadMs` of `bumpLeases` that is an hour longer still.
   */
  readonly maxClockSkewMs?: number
  /** The allocator must have the same. */
  readonly clock?: Clock
  /** Waits for the next extension; its timer lives as long as the lease is held. */
  readonly delay?: Delay
  /** A text that nobody else will ever make (a random UUID). */
  readonly randomToken?: () => string
}

/**
 * The worker numbers of a family in the control database behind an executor, on whatever engine. They are leases of
 * `@shard/sql` by the names `worker/<family>/<number>`; tables that are missing are made.
 * @throws InvalidArgumentError
 */
export function workerLeases(executor: Executor, options: WorkerLeasesOptions): WorkerLeases {
  const { clock = systemClock, delay = timer, randomToken } = options ?? {}
  const held = leases(executor, { clock, delay, ...(randomToken ? { randomToken } : {}) })
  return workerLeasesOver({ leases: held, record: layoutRecord(executor), clock, delay }, options)
}
