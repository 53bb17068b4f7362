/** Why an attempt to take a block is made again: how its swap ended, or the code of its error. */
export type RetryReason = 'lost' | 'unknown' | string

/** What is told of an allocator, for metrics. A hook must be quick; what it throws is ignored. */
export interface AllocatorHooks {
  /** Ids [from, to) were taken from the counter. */
  onBlock?(block: {
    readonly from: bigint
    readonly to: bigint
    readonly tookMs: number
    readonly attempts: number
  }): void
  /** An attempt brought nothing; another follows after `waitMs`. */
  onRetry?(retry: { readonly attempt: number; readonly reason: RetryReason; readonly waitMs: number }): void
  /** No block came in the time that it may take, or none can come. */
  onFailure?(error: unknown): void
  /** A caller had to wait for its ids. */
  onWait?(wait: { readonly waitedMs: number }): void
}

/** Tells a hook, if there is one. */
export function tell<Name extends keyof AllocatorHooks>(
  hooks: AllocatorHooks,
  name: Name,
  facts: Parameters<NonNullable<AllocatorHooks[Name]>>[0],
): void {
  try {
    // The hooks differ only in what they are told.
    ;(hooks[name] as ((facts: unknown) => void) | undefined)?.call(hooks, facts)
  } catch {
    // Metrics must not cost anybody an id.
  }
}
