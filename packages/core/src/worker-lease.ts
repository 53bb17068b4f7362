import type { Layout } from './layout.ts'

/**
 * The right to mint as one worker number: a number that nobody else holds, and a window of time stamps that no
 * other holder of that number has had or will have.
 *
 * Both are on record in a database before they are used here. So ids stay apart when a holder is killed, is
 * paused past the end of its lease, or has a clock that is an hour off: it can only stamp within its own window.
 * One lease serves one allocator, in one process.
 */
export interface WorkerLease extends AsyncDisposable {
  /** From 0 to 2^workerBits - 1 of the layout. */
  readonly worker: number
  /** Larger than that of every earlier holder of the number. */
  readonly epoch: bigint
  /** Random, of this acquire only. */
  readonly token: string
  /** The layout for which the number was given; an allocator of another is refused. */
  readonly layout?: Layout
  /** The first instant that may be stamped, in unix milliseconds; never changes. */
  readonly mintFromMs: number
  /** The first that may not: the window is half-open. It only rises, and only after that is on record. */
  readonly mintUntilMs: number
  /**
   * When `mintFromMs` was, on this process's monotonic clock: the time of the request that acquired the lease.
   * Without it the allocator counts from when it is made, and its stamps lag behind by that much.
   */
  readonly acquiredAtMonotonicMs?: number
  /** When the holder must stop, on the same clock; later after each extension. */
  readonly expiresAtMonotonicMs: number
  /** Aborted once the lease is over: by its deadline, a refused extension, or `release`. */
  readonly lost: AbortSignal
  /**
   * Holds the lease for longer and moves `mintUntilMs`; false, and lost for good, if it has expired or was taken
   * over. After an error the lease is as it was.
   */
  extend(options?: { readonly signal?: AbortSignal | undefined }): Promise<boolean>
  /** Gives it up, so that nobody has to wait for its end; false if it was no longer held. */
  release(options?: { readonly signal?: AbortSignal | undefined }): Promise<boolean>
  /** Ends extensions that go on in the background, and releases. */
  close(): Promise<void>
}
