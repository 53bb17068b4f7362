import { type Clock, systemClock } from '@shard/core'
import type { ClaimFates } from './claim-fates.ts'
import type { Directory } from './directory.ts'
import { type DirectoryOptions, directoryOver } from './directory-over.ts'
import { type MemoryEntries, memoryStore } from './memory-store.ts'

/** What a directory in memory is made of. */
export interface MemoryDirectoryOptions extends DirectoryOptions {
  /** Shared by directories that are to see each other's entries; its own unless given. */
  readonly entries?: MemoryEntries
  /** Where the fates of claims are, such as `memoryFates()`; without it `ttlMs` is refused. */
  readonly fates?: ClaimFates
  readonly clock?: Clock
}

/** A directory in this process's memory, for tests: the same promises, but for what ends with the process. */
export function memoryDirectory(options: MemoryDirectoryOptions = {}): Directory {
  const { entries = new Map(), clock = systemClock, fates = null } = options
  return directoryOver((namespace) => memoryStore(entries, namespace, clock), options, fates)
}
