import { checkBigint, checkInteger, InvalidArgumentError, MAX_ID } from '@shard/core'
import type { Directory, Entry } from './directory.ts'
import type { EntryStore, StoredEntry } from './entry-store.ts'
import { checkKey, type Normaliser } from './natural-key.ts'

type Lookups = Pick<Directory, 'resolve' | 'lookup' | 'resolveMany' | 'keysOf' | 'list'>

/** The half of a directory that only reads. */
export function lookups(store: EntryStore, keyOf: Normaliser): Lookups {
  return {
    async resolve(key, { signal } = {}) {
      return store.idOf(keyOf(key), signal)
    },

    async lookup(key, { signal } = {}) {
      const stored = await store.entryOf(keyOf(key), signal)
      return stored && withoutToken(stored)
    },

    async resolveMany(keys, { signal } = {}) {
      if (!Array.isArray(keys)) throw new InvalidArgumentError('keys must be an array of texts')
      const keyBySpelling = new Map(keys.map((spelling: string) => [spelling, keyOf(spelling)]))
      const ids = await store.idsOf([...new Set(keyBySpelling.values())], signal)
      return new Map([...keyBySpelling].map(([spelling, key]) => [spelling, ids.get(key) ?? null]))
    },

    async keysOf(id, { signal } = {}) {
      return store.keysOf(checkBigint('an id', id, 1n, MAX_ID), signal)
    },

    async list({ after, limit = 1_000, signal } = {}) {
      checkInteger('limit', limit, 1, 10_000)
      return store.page(after === undefined ? null : checkKey(after), limit, signal)
    },
  }
}

/** The token is for its claimant alone. */
function withoutToken({ key, id, state, version, updatedAtMs }: StoredEntry): Entry {
  return { key, id, state, version, updatedAtMs }
}
