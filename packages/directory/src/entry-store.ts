import type { Id } from '@shard/core'
import type { Entry } from './directory.ts'

/** An entry with the token of the claim that made it, and how long that may still go on. */
export interface StoredEntry extends Entry {
  readonly token: string
  /** Until a pending claim expires, by the database's clock; null for a confirmed one. */
  readonly leftMs: number | null
}

/** An entry before it is stored; the store adds the times. */
export interface NewEntry extends Omit<StoredEntry, 'updatedAtMs' | 'expiresAtMs' | 'leftMs'> {
  /** Of a pending claim. */
  readonly ttlMs: number | null
}

/** The entries of one claim: one, or one for each spelling of its key. They are changed together. */
export type Group = Pick<Entry, 'id' | 'version' | 'state'>

/** What a move makes of a group. */
export type NewOwner = Pick<NewEntry, 'id' | 'token' | 'version'>

/** Which entries. */
export interface Page {
  /** Above this key, by the bytes; all from the first if it is null. */
  readonly after: string | null
  readonly limit: number
  readonly olderThanMs: number
}

type Signal = AbortSignal | undefined

/**
 * Where a directory keeps its entries: single steps, each atomic, on keys and arguments that are checked. While
 * several normalisers are live (`isSingle` is false), a change of a group and an added spelling wait for each other.
 */
export interface EntryStore {
  /** The id of a confirmed entry. */
  idOf(key: string, signal: Signal): Promise<Id | null>
  /** The ids of confirmed entries, by key; keys without one are left out. */
  idsOf(keys: readonly string[], signal: Signal): Promise<ReadonlyMap<string, Id>>
  entriesOf(keys: readonly string[], signal: Signal): Promise<readonly StoredEntry[]>
  /** As last committed, where `entriesOf` may see what its transaction saw before; waits for a change under way. */
  currentEntriesOf(keys: readonly string[], signal: Signal): Promise<readonly StoredEntry[]>
  /**
   * Inserts the entries of one claim, all or none, and gives what is on file under their keys. Waits for a
   * rival that has not committed. Entries that the same claim made before (same id and token) are no rivals.
   */
  insert(entries: readonly NewEntry[], signal: Signal): Promise<readonly StoredEntry[]>
  /** True if a group was as expected and is confirmed, and somebody else's if so given. */
  confirm(group: Group, owner: NewOwner | null, signal: Signal): Promise<boolean>
  /** True if a group was as expected and is gone. */
  remove(group: Group, signal: Signal): Promise<boolean>
  /** As `remove` of all groups, then `insert`; false, and nothing changed, unless all are as expected and all fit. */
  replace(groups: readonly Group[], entries: readonly NewEntry[], signal: Signal): Promise<boolean>
  /**
   * Adds another spelling to a claim, or only the number of a normaliser that spells it the same: false if the entry
   * has changed, or the spelling is another id's.
   */
  addSpelling(entry: StoredEntry, key: string, normaliser: number, signal: Signal): Promise<boolean>
  /** Removes one entry of a claim, and not the others; false if it has changed. */
  drop(entry: StoredEntry, signal: Signal): Promise<boolean>
  keysOf(id: Id, signal: Signal): Promise<string[]>
  /** In the order of the bytes of their keys. */
  page(page: Page, signal: Signal): Promise<Entry[]>
}
