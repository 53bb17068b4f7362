/** What a call on a counter takes. */
export interface CounterCall {
  readonly signal?: AbortSignal | undefined
}

/** What a swap may write beside the value: what is not given stays as it is, or gets the counter's own default. */
export interface SwapCall extends CounterCall {
  readonly generation?: string | undefined
  readonly home?: string | undefined
}

/** A counter as it stood at some moment. */
export interface CounterReading {
  /** The highest id that has been taken; 0 before the first. */
  readonly value: bigint
  /** Stands for this very state, for `swap`; means nothing else. */
  readonly version: string
  /** Made at random when the counter was made, and kept: a counter that was made anew has another. */
  readonly generation?: string | null | undefined
  /** Where the counter says that it belongs, so that a copy elsewhere can be told. */
  readonly home?: string | null | undefined
}

/**
 * How a swap ended: `ok`, written by this call; `lost`, not to be counted on, since another was first;
 * `unknown`, it may have been written, or may yet be. Only `ok` gives anything to the caller.
 */
export type SwapResult = 'ok' | 'lost' | 'unknown'

/**
 * A number that many processes raise by compare-and-swap. Of any number of swaps of one version, however they
 * race, at most one is ever `ok`, and a caller that dies half-way has either raised it or not.
 */
export interface Counter {
  /** For messages. */
  readonly name?: string | undefined
  /**
   * Reads it as it is now; null if there is none.
   * @throws StoreUnavailableError (retryable), StoreRefusedError, StoreUnsafeError
   * @throws CounterCorruptError if what is there is no counter
   */
  load(call?: CounterCall): Promise<CounterReading | null>
  /**
   * Writes `value` if the counter still has this version; `null` makes a counter where there is none.
   * One attempt: whoever wants another loads first.
   * @throws StoreUnavailableError (retryable, its `outcome` says whether it may be written), StoreRefusedError
   */
  swap(version: string | null, value: bigint, call?: SwapCall): Promise<SwapResult>
  /** Where this counter is, as its `home` should say; null or absent where that means nothing. */
  home?(): Promise<string | null>
  /** Another counter in the same store, with a name of its own that nobody uses, for `probe`. */
  scratch?(): ScratchCounter
}

/** A counter that can be taken away again. */
export interface ScratchCounter extends Counter {
  remove(call?: CounterCall): Promise<void>
}
