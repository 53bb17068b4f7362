/** Where an allocator stands; counts are since it was made. */
export interface AllocatorStats {
  /** Ids given by `allocate` and `allocateMany`. */
  readonly allocated: number
  /** Ids in memory. */
  readonly remaining: number
  /** Ids that `discard` forgot. */
  readonly discarded: number
  /** Callers that wait now. */
  readonly waiting: number
  /** Calls that could not be served from memory. */
  readonly waits: number
  /** Visits to the counter that brought ids. */
  readonly blocks: number
  /** Attempts in which another was first. */
  readonly lost: number
  /** Attempts that may have been applied; each may have cost a block. */
  readonly unknown: number
  /** Attempts that failed otherwise, and were made again. */
  readonly failed: number
  /** The size of the next block. */
  readonly blockSize: number
  /** Has the counter reached the end? */
  readonly isExhausted: boolean
}
