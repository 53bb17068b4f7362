import { type Clock, checkSignal, type Id, systemClock } from '@shard/core'
import type { Directory, Entry } from './directory.ts'
import { type DirectoryOptions, directoryOver } from './directory-over.ts'
import type { EntryStore, Expected, NewEntry, StoredEntry } from './entry-store.ts'

/** The entries of any number of directories in memory: by namespace, then by key. */
export type MemoryEntries = Map<string, Map<string, StoredEntry>>

/** What a directory in memory is made of. */
export interface MemoryDirectoryOptions extends DirectoryOptions {
  /** Shared by directories that are to see each other's entries; its own unless given. */
  readonly entries?: MemoryEntries
  readonly clock?: Clock
}

/** A directory in this process's memory, for tests: the same promises, but for what ends with the process. */
export function memoryDirectory(options: MemoryDirectoryOptions = {}): Directory {
  const { entries = new Map(), clock = systemClock } = options
  return directoryOver((namespace) => {
    const rows = entries.get(namespace) ?? new Map<string, StoredEntry>()
    entries.set(namespace, rows)
    return memoryStore(rows, clock)
  }, options)
}

function memoryStore(rows: Map<string, StoredEntry>, clock: Clock): EntryStore {
  const idOf = (key: string): Id | null => {
    const row = rows.get(key)
    return row?.state === 'confirmed' ? row.id : null
  }
  const isExpected = (key: string, { id, version }: Expected): boolean => {
    const row = rows.get(key)
    return row?.id === id && (version === undefined || row.version === version)
  }
  const set = (entry: NewEntry): true => {
    rows.set(entry.key, { ...entry, updatedAtMs: clock.now() })
    return true
  }
  const idsOf = (keys: readonly string[]): Map<string, Id> =>
    new Map(keys.map((key) => [key, idOf(key)] as const).filter(isOwned))
  const entryOf: EntryStore['entryOf'] = (key, signal) => step(signal, () => rows.get(key) ?? null)
  return {
    idOf: (key, signal) => step(signal, () => idOf(key)),
    idsOf: (keys, signal) => step(signal, () => idsOf(keys)),
    entryOf,
    currentEntryOf: entryOf,
    insertIfAbsent: (entry, signal) => step(signal, () => void (rows.has(entry.key) || set(entry))),
    replace: (entry, expected, signal) => step(signal, () => isExpected(entry.key, expected) && set(entry)),
    remove: (key, expected, signal) => step(signal, () => isExpected(key, expected) && rows.delete(key)),
    keysOf: (id, signal) => step(signal, () => sorted(rows).flatMap((row) => (row.id === id ? row.key : []))),
    page: (after, limit, signal) => step(signal, () => pageOf(rows, after).slice(0, limit)),
  }
}

/** One step that nothing in this process can come between. */
async function step<T>(signal: AbortSignal | undefined, work: () => T): Promise<T> {
  checkSignal(signal)
  return work()
}

function isOwned(pair: readonly [string, Id | null]): pair is [string, Id] {
  return pair[1] !== null
}

function pageOf(rows: ReadonlyMap<string, StoredEntry>, after: string | null): Entry[] {
  const start = after === null ? '' : bytesOf(after)
  return sorted(rows)
    .filter(({ key }) => bytesOf(key) > start)
    .map(({ token: _, ...entry }) => entry)
}

/** In the order of the databases: by the bytes of the keys. */
function sorted(rows: ReadonlyMap<string, StoredEntry>): StoredEntry[] {
  return [...rows.values()].sort((a, b) => (bytesOf(a.key) < bytesOf(b.key) ? -1 : 1))
}

/** A text's UTF-8 bytes as text, one unit a byte. */
function bytesOf(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text))
}
