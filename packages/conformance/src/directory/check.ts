import type { Id } from '@shard/core'
import type { ClaimFates, Directory, DirectoryOptions } from '@shard/directory'

/** One fresh database, or whatever keeps the entries. */
export interface DirectoryHost {
  /** A directory on it; called more than once, its directories see each other's entries as processes do. */
  directory(options?: DirectoryOptions): Directory
  /** Where the fates of its claims are: an account's insert settles one as `used`. */
  readonly fates: ClaimFates
  /** A directory on the same entries that cannot reach the shards. */
  withoutShards(options?: DirectoryOptions): Directory
  close(): Promise<void>
}

/** Declares a test that gets a directory of its own, on a fresh host. */
export type Check = (name: string, body: (directory: Directory, host: DirectoryHost) => Promise<void>) => void

/** The smallest id of shard 1. */
export const ANN: Id = 1n << 52n

/** 2^53 + 1, which no JS number holds. */
export const BOB: Id = 9_007_199_254_740_993n
