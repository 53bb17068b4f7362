import type { Id } from '@shard/core'
import type { Entry } from './directory.ts'

/** An entry with the token of the claim that made it. */
export interface StoredEntry extends Entry {
  readonly token: string
}

/** An entry before it is stored; the store adds the time. */
export type NewEntry = Omit<StoredEntry, 'updatedAtMs'>

/** What an entry must still be for a change to happen. */
export interface Expected {
  readonly id: Id
  readonly version: bigint | undefined
}

type Signal = AbortSignal | undefined

/** Where a directory keeps its entries: single steps, each atomic, on keys and arguments that are checked. */
export interface EntryStore {
  /** The id of a confirmed entry. */
  idOf(key: string, signal: Signal): Promise<Id | null>
  /** The ids of confirmed entries, by key; keys without one are left out. */
  idsOf(keys: readonly string[], signal: Signal): Promise<ReadonlyMap<string, Id>>
  entryOf(key: string, signal: Signal): Promise<StoredEntry | null>
  /** As it was last committed, where `entryOf` may see what its transaction saw before; waits for a change under way. */
  currentEntryOf(key: string, signal: Signal): Promise<StoredEntry | null>
  /** Does nothing if the key is on file; waits for a rival that has not committed, and does not say who won. */
  insertIfAbsent(entry: NewEntry, signal: Signal): Promise<void>
  /** True if the entry was as expected and is replaced. */
  replace(entry: NewEntry, expected: Expected, signal: Signal): Promise<boolean>
  /** True if the entry was as expected and is gone. */
  remove(key: string, expected: Expected, signal: Signal): Promise<boolean>
  keysOf(id: Id, signal: Signal): Promise<string[]>
  /** Entries with keys above `after`, by the bytes of their keys; all from the first if it is null. */
  page(after: string | null, limit: number, signal: Signal): Promise<Entry[]>
}
