import type { CallOptions } from '@shard/core'

/**
 * Named leases in one database: who may lead, provision or mint as worker 3 until an instant of the database's
 * own clock. Any number of processes may call at once: at most one holds a name, and each acquire of a name has
 * a larger epoch than all before it, also across release and expiry.
 *
 * A lease says who should act, and cannot stop a holder that was paused from acting late: guard what must not
 * be done twice with the epoch, or a `shardFence`. The database must be durable before it answers; after a
 * restore, or a fail-over to a replica that lagged, run `bumpLeases` before anybody acquires.
 */
export interface Leases {
  /**
   * Takes a lease that is free or has expired; null if somebody holds it. Of racers one wins. A reply that is
   * lost is settled by reading back; if that fails too the error's outcome is `unknown`, and the lease may stay
   * taken, by nobody, until it expires. So it does when a process dies half-way.
   * @throws InvalidArgumentError before any I/O
   */
  acquire(name: string, options: AcquireOptions): Promise<Lease | null>
  /** What is on file under a name; null if it was never acquired. */
  read(name: string, options?: LeaseCall): Promise<LeaseRecord | null>
  /** The same for many names in one query, in the order in which they are given. */
  readMany(names: readonly string[], options?: LeaseCall): Promise<readonly (LeaseRecord | null)[]>
  /**
   * What is on file under a folder (`worker/users` holds `worker/users/3`), in one query.
   * @throws SchemaMismatchError if the table was emptied: names have forgotten what was handed out; see `bumpLeases`
   */
  readFolder(folder: string, options?: LeaseCall): Promise<LeaseFolder>
}

/** The leases of a folder that were acquired before. */
export interface LeaseFolder {
  /** In the order of their names' bytes. */
  readonly records: readonly LeaseRecord[]
  /** Where the marks of all other names begin: 0, but after a `bumpLeases`. */
  readonly floorMarkMs: number
  /** The database's clock when it was read. */
  readonly readAtMs: number
}

/** What a call on leases takes. */
export type LeaseCall = Pick<CallOptions, 'signal'>

/** How a lease is to be held. */
export interface AcquireOptions extends LeaseCall {
  /** Who asks, for people to read: text of 1 to 85 characters. */
  readonly owner: string
  /** For how long, from 1 ms to a day. */
  readonly ttlMs: number
  readonly reserve?: Reservation | undefined
}

/**
 * A stretch of time that nobody else will be given under this name: it starts at `fromMs`, or at the lease's
 * mark if that is later, and moves the mark to its end. The windows of worker leases are made of it.
 */
export interface Reservation {
  /** Unix milliseconds. */
  readonly fromMs: number
  /** From 0 to an hour. */
  readonly lengthMs: number
}

/** A change of a lease that is held. */
export interface ExtendOptions extends LeaseCall {
  /** From now; as at the acquire unless given. A lease is never made shorter. */
  readonly ttlMs?: number | undefined
  readonly reserve?: Reservation | undefined
}

/** A lease that this process acquired. */
export interface Lease extends AsyncDisposable {
  readonly name: string
  readonly owner: string
  /** Larger than that of every earlier holder of the name. */
  readonly epoch: bigint
  /** Random, of this acquire only. */
  readonly token: string
  /** The end of what has been reserved under this name: unix milliseconds. */
  readonly markMs: number
  /** When this process must stop, on its own monotonic clock; counted from before the request was sent. */
  readonly expiresAtMonotonicMs: number
  /** True until it is lost. */
  readonly isHeld: boolean
  /** Aborted once the lease is lost: at the local deadline, by a refused extension, or by `release`. */
  readonly lost: AbortSignal
  /**
   * Holds it for longer; false, and lost for good, if it has expired or was taken over. After an error the lease
   * is as it was: extend again before `expiresAtMonotonicMs`.
   */
  extend(options?: ExtendOptions): Promise<boolean>
  /** Gives it up; false if it was no longer its own. The next holder need not wait for the expiry. */
  release(options?: LeaseCall): Promise<boolean>
  /** Releases it. */
  close(): Promise<void>
}

/** What is on file under a name. */
export interface LeaseRecord {
  readonly name: string
  /** Who acquired it last; null once it has been released. */
  readonly owner: string | null
  readonly epoch: bigint
  /** Is it held, by the database's clock? */
  readonly isHeld: boolean
  /** Unix milliseconds of the database's clock. */
  readonly expiresAtMs: number
  /** The end of what has been reserved under this name; 0 if nothing was. */
  readonly markMs: number
  /** The database's clock when it was read. */
  readonly readAtMs: number
}
