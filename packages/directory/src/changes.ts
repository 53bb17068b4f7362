import {
  BusyError,
  checkBigint,
  checkText,
  isShardError,
  KeyTakenError,
  MAX_ID,
  ShardError,
} from '@shard/core'
import type { Directory } from './directory.ts'
import type { EntryStore, Expected, NewEntry, StoredEntry } from './entry-store.ts'
import type { Normaliser } from './natural-key.ts'

type Changes = Pick<Directory, 'claim' | 'release' | 'move' | 'put'>

/** How often a call starts again when rivals change the entry between two of its steps. */
const MAX_ATTEMPTS = 16

/** The half of a directory that writes. */
export function changes(store: EntryStore, keyOf: Normaliser): Changes {
  return {
    async claim(key, id, { token, signal } = {}) {
      const claimed = newEntry(keyOf(key), id, token)
      const { id: owner, token: owning, state, version } = await onFileAfter(store, claimed, signal)
      return { id: owner, won: owner === id && owning === claimed.token, state, version }
    },

    async release(key, expectedId, expectedVersion, { signal } = {}) {
      return store.remove(keyOf(key), expected(expectedId, expectedVersion), signal)
    },

    async move(key, expectedId, newId, expectedVersion, { signal } = {}) {
      return store.replace(newEntry(keyOf(key), newId), expected(expectedId, expectedVersion), signal)
    },

    async put(key, id, { force = false, signal } = {}) {
      const entry = newEntry(keyOf(key), id)
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const onFile = await onFileAfter(store, entry, signal)
        if (onFile.id === id) return
        if (!force) throw new KeyTakenError(onFile.id)
        if (await store.replace(entry, onFile, signal)) return
      }
      throw overtaken()
    },
  }
}

/** Inserts the entry if its key is free, and returns what is on file then: the entry itself, or the owner's. */
async function onFileAfter(
  store: EntryStore,
  entry: NewEntry,
  signal: AbortSignal | undefined,
): Promise<StoredEntry> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    await store.insertIfAbsent(entry, signal)
    const onFile = await store.currentEntryOf(entry.key, signal).catch(unsettled)
    if (onFile) return onFile
  }
  throw overtaken()
}

/** A failed reading says nothing about the insert before it. */
function unsettled(error: unknown): never {
  if (!isShardError(error)) throw error
  const { code, message, retryable } = error
  throw new ShardError(code, message, { retryable, outcome: 'unknown', cause: error })
}

function overtaken(): BusyError {
  return new BusyError(new Error('rivals changed the entry again and again'))
}

function newEntry(key: string, id: bigint, token: string = crypto.randomUUID()): NewEntry {
  checkBigint('an id', id, 1n, MAX_ID)
  checkText('a token', token, 64)
  return { key, id, state: 'confirmed', token, version: randomVersion() }
}

/** Random and not counted, so that an entry which was removed and made again never has an old version. */
function randomVersion(): bigint {
  const [bits = 0n] = crypto.getRandomValues(new BigUint64Array(1))
  return (bits % MAX_ID) + 1n
}

function expected(id: bigint, version: bigint | undefined): Expected {
  checkBigint('the expected id', id, 1n, MAX_ID)
  if (version !== undefined) checkBigint('the expected version', version, 1n, MAX_ID)
  return { id, version }
}
